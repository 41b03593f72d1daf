/** The command line as a stranger runs it: the built file, in a process of its own. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FIELDS, spelled } from "../../wasm/asks.ts";
import { COMMANDS, describes, optionsOf, question } from "../../wasm/command-line/spell.ts";
import { KINDS } from "../../wasm/engine/catalogue.ts";
import { answer, command as run } from "./run.ts";

const gaussian = '{"kind":"gaussian","sigma":1,"sensitivity":1}';

/** Twelve digits: the interval is narrower than that and holds the reference value to the digits it has. */
function agrees({ lower, upper }: { lower: number; upper: number }, reference: number) {
  expect(Math.abs(lower / reference - 1)).toBeLessThan(1e-12);
  expect(Math.abs(upper / reference - 1)).toBeLessThan(1e-12);
}

describe("answers", () => {
  test("ε and δ of every exact kind agree with the reference to 12 digits", () => {
    agrees(answer("epsilon", gaussian, "--delta", "1e-10"), 6.54792406686495);
    agrees(answer("epsilon", gaussian, "--delta", "1e-15"), 8.16557969550425);
    agrees(answer("delta", gaussian, "--epsilon", "20"), 2.66470670536549e-86);
    agrees(
      answer("delta", '{"kind":"laplace","scale":1,"sensitivity":1}', "--epsilon", "0.5"),
      2.21199216928595e-1,
    );
    agrees(
      answer("delta", '{"kind":"discrete-laplace","scale":5,"sensitivity":7}', "--epsilon", "1.1"),
      1.42506953753131e-1,
    );
    agrees(
      answer("delta", '{"kind":"randomized-response","categories":2,"epsilon":1}', "--epsilon", "0.3"),
      3.68025632271707e-1,
    );
    agrees(
      answer("delta", '{"kind":"approximate","epsilon":1,"delta":1e-6}', "--epsilon", "0.5"),
      2.87649848995831e-1,
    );
    agrees(answer("delta", '{"kind":"exponential","epsilon":1}', "--epsilon", "0.5"), 7.74046863156908e-2);
    agrees(answer("delta", '{"kind":"gdp","mu":1}', "--epsilon", "5"), 5.79372169191949e-7);
    const composed =
      '{"kind":"composition","of":[{"mechanism":{"kind":"gaussian","sigma":20,"sensitivity":1},"count":100}]}';
    agrees(answer("epsilon", composed, "--delta", "1e-5"), 1.99309140441511);
    expect(answer("epsilon", '{"kind":"zcdp","rho":0.5}', "--delta", "1e-6").upper).toBeCloseTo(
      5.22153434101701,
      10,
    );
    const { value } = answer(
      "calibrate",
      gaussian,
      "--parameter",
      "sigma",
      "--epsilon",
      "3",
      "--delta",
      "1e-10",
    );
    agrees({ lower: value, upper: value }, 2.0622531789074);
  });

  test("curves take lists and ranges", () => {
    const profile = answer("profile", gaussian, "--epsilons", "0:10:101");
    expect(profile.epsilons).toHaveLength(101);
    expect(profile.epsilons[100]).toBe(10);
    expect(profile.upper[10]).toBe(
      answer("delta", gaussian, "--epsilon", String(profile.epsilons[10])).upper,
    );
    expect(answer("renyi", gaussian, "--orders", "2,4").epsilons.map(Math.round)).toEqual([1, 2]);
    expect(answer("tradeoff", gaussian, "--false-positives", "0.01").upper[0]).toBeCloseTo(
      9.23622480736939e-2,
      12,
    );
  });

  test("a range is as wide as numbers are", () => {
    const { epsilons } = answer("profile", gaussian, "--epsilons", "-1e308:1e308:3");
    expect(epsilons).toEqual([-1e308, 0, 1e308]);
  });

  test("infinity is a word, because JSON has none", () => {
    expect(answer("epsilon", gaussian, "--delta", "0").upper).toBe("Infinity");
  });

  test("the help names every kind and every parameter of the catalogue", () => {
    const { stdout, status } = run(["--help"]);
    expect(status).toBe(0);
    for (const [kind, { parameters }] of Object.entries(KINDS)) {
      expect(stdout).toContain(`  ${kind}:`);
      for (const name of Object.keys(parameters))
        expect(stdout).toMatch(new RegExp(`^    ${name}( \\(|: )`, "m"));
    }
    // Every example is a question that is answered.
    const examples = stdout.split("\n").filter((line) => line.startsWith('    {"kind"'));
    expect(examples.length).toBeGreaterThanOrEqual(Object.keys(KINDS).length);
    const asked = examples.map((line) => `{"ask":"delta","description":${line.trim()},"epsilon":1}`);
    expect(run(["batch"], asked.join("\n")).status).toBe(0);
  });
});

describe("words", () => {
  const file = "package.json";
  /** As a word, and what it says. */
  const said: Readonly<Record<string, readonly [word: string, value: unknown]>> = {
    number: ["1e-5", 1e-5],
    numbers: ["1,2", [1, 2]],
    text: ["name", "name"],
    request: [file, JSON.parse(readFileSync(file, "utf8"))],
  };
  const JSON_SAID = ['{"about":[1]}', { about: [1] }] as const;

  test.each([...COMMANDS])("every field of %s is what a line of the batch says", (command, ask) => {
    const { needed, others } = optionsOf(ask);
    const fields = [...needed, ...others].map(
      (name) => [name, ...(said[FIELDS[name]] ?? JSON_SAID)] as const,
    );
    const words = fields.flatMap(([name, word]) => [`--${spelled(name)}`, word]);
    expect(question(command, ask, describes(ask) ? [gaussian, ...words] : words)).toEqual({
      ask,
      ...(describes(ask) && { description: JSON.parse(gaussian) }),
      ...Object.fromEntries(fields.map(([name, , value]) => [name, value])),
    });
  });

  test("numbers of which a mechanism is made are answered as in a batch", () => {
    const numbers = '{"about":"classic-test","epsilon":1,"delta":1e-6}';
    const line = `{"ask":"mechanismNumbers","numbers":${numbers}}`;
    expect(answer("mechanism-numbers", "--numbers", numbers)).toEqual(
      JSON.parse(run(["batch"], line).stdout),
    );
  });
});

describe("refusals", () => {
  test.each<[string, string[], string]>([
    ["unknown kind", ["delta", '{"kind":"gauss"}', "--epsilon", "1"], "kind"],
    ["unknown key", ["delta", '{"kind":"gdp","mu":1,"nu":2}', "--epsilon", "1"], "nu"],
    [
      "negative sigma",
      ["delta", '{"kind":"gaussian","sigma":-1,"sensitivity":1}', "--epsilon", "1"],
      "sigma",
    ],
    ["NaN in JSON", ["delta", '{"kind":"gdp","mu":NaN}', "--epsilon", "1"], "description"],
    ["text for a number", ["delta", '{"kind":"gdp","mu":"1"}', "--epsilon", "1"], "mu"],
    ["delta 1.5", ["epsilon", gaussian, "--delta", "1.5"], "delta"],
    ["delta 1e-400", ["epsilon", gaussian, "--delta", "1e-400"], "delta"],
    ["delta NaN", ["epsilon", gaussian, "--delta", "NaN"], "delta"],
    ["hexadecimal delta", ["epsilon", gaussian, "--delta", "0x1"], "delta"],
    ["binary delta", ["epsilon", gaussian, "--delta", "0b1"], "delta"],
    ["hexadecimal list", ["renyi", gaussian, "--orders", "2,0x8"], "orders"],
    ["hexadecimal range", ["profile", gaussian, "--epsilons", "0:0xa:3"], "epsilons"],
    ["no delta", ["epsilon", gaussian], "delta"],
    ["unknown option", ["epsilon", gaussian, "--gamma", "1"], "option"],
    ["option without value", ["epsilon", gaussian, "--delta"], "delta"],
    ["option twice", ["epsilon", gaussian, "--delta", "1e-5", "--delta", "1e-6"], "delta"],
    ["unknown command", ["epsilonn", gaussian], "command"],
    ["a command of the language, not ours", ["constructor", "{}", "--delta", "1"], "command"],
    ["words behind batch", ["batch", "questions.ndjson"], "option"],
    ["words behind catalogue", ["catalogue", "foo", "--bar"], "option"],
    ["infinite range", ["profile", gaussian, "--epsilons", "0:Infinity:3"], "epsilons"],
    ["half a target", ["compare", gaussian, "--delta", "1e-5", "--epsilon", "1"], "parameter"],
    ["no description", ["epsilon"], "description"],
    ["bad range", ["profile", gaussian, "--epsilons", "0:1:1"], "epsilons"],
    ["bad list", ["renyi", gaussian, "--orders", "2,,3"], "orders"],
    [
      "nested nonsense",
      ["delta", '{"kind":"composition","of":[{"mechanism":{"kind":[[{}]]},"count":1}]}', "--epsilon", "1"],
      "of.0.mechanism.kind",
    ],
  ])("%s", (_, words, field) => {
    const { status, stdout, stderr } = run(words);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    const { refusal } = JSON.parse(stderr);
    expect(refusal.field).toBe(field);
    expect(refusal.value).not.toBe("");
    expect(refusal.rule).not.toBe("");
  });

  test("a megabyte of garbage is one short refusal", () => {
    for (const garbage of ["x".repeat(1 << 20), "[".repeat(1 << 20), `{"kind":"${"y".repeat(1 << 20)}"}`]) {
      const { status, stderr } = run(["delta", "-", "--epsilon", "1"], garbage);
      expect(status).toBe(2);
      expect(stderr.length).toBeLessThan(1000);
      expect(JSON.parse(stderr).refusal.field).toMatch(/description|kind/);
    }
  });
});

describe("batch", () => {
  test("goes on after a refused line, keeps the order, and says so by its status", () => {
    const lines = [
      '{"ask":"delta","description":{"kind":"gdp","mu":1},"epsilon":1}',
      "x".repeat(1 << 20),
      '{"ask":"delta"}',
      "",
      lineOf("epsilon", 1e-5),
    ];
    const { status, stdout } = run(["batch"], `${lines.join("\n")}\n`);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(5);
    expect(answers.map((entry) => entry.refusal?.field)).toEqual([
      undefined,
      "question",
      "description",
      "question",
      undefined,
    ]);
    expect(answers[4].upper).toBeCloseTo(4.37717809568122, 12);
    expect(status).toBe(2);
    expect(run(["batch"], lineOf("epsilon", 1e-5)).status).toBe(0);
    expect(run(["batch"], "").stdout).toBe("");
  });

  test("a line is what ends with a newline, with or without a byte-order mark and a carriage return", () => {
    const line = lineOf("epsilon", 1e-5);
    const odd = '{"ask":"\u2028"}';
    const { stdout } = run(["batch"], `\uFEFF${line}\r\n${odd}\n\n${line}\n`);
    const answers = stdout.trimEnd().split("\n");
    expect(answers).toHaveLength(4);
    expect(answers[0]).toBe(answers[3]);
    expect(JSON.parse(answers[1] as string).refusal.field).toBe("ask");
    expect(JSON.parse(answers[2] as string).refusal.field).toBe("question");
  });

  test("compares for a target as well", () => {
    const asked = { ask: "compare", description: JSON.parse(gaussian), delta: 1e-5 };
    const lines = [{ ...asked, parameter: "sigma", epsilon: 1 }, { ...asked, parameter: "sigma" }, asked];
    const { stdout } = run(["batch"], lines.map((line) => JSON.stringify(line)).join("\n"));
    const [target, half, plain] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(target[0].value).toBeCloseTo(3.73063163481594, 11);
    expect(half.refusal).toMatchObject({ kind: "missing", field: "epsilon" });
    expect(plain[0].value).toBeNull();
    const words = ["--delta", "1e-5", "--parameter", "sigma", "--epsilon", "1"];
    expect(answer("compare", gaussian, ...words)).toEqual(target);
  });

  const lineOf = (ask: string, delta: number) =>
    JSON.stringify({ ask, description: JSON.parse(gaussian), delta });

  test("answers every line of the reference tables, the upper end never below the truth", () => {
    const tables = readdirSync("tests/reference").filter((name) => name.endsWith(".ndjson"));
    const lines = tables.flatMap((name) =>
      readFileSync(`tests/reference/${name}`, "utf8").trim().split("\n"),
    );
    const questions = lines.map((line) => JSON.parse(line));
    const asked = questions.map(({ truth, bound, upper, ...question }) => JSON.stringify(question));
    const { stdout, status } = run(["batch"], asked.join("\n"));
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toHaveLength(lines.length);
    answers.forEach((entry, i) => {
      const [upper] = [entry.upper ?? entry.epsilons ?? entry.value].flat();
      const truth = Number(questions[i].upper ?? questions[i].truth);
      // A calibrated value may lie on either side: its own promise is tested elsewhere. A supremum is searched to 13
      // digits of delta, which a parameter may follow more steeply.
      const searched = questions[i].description.kind === "objective-perturbation";
      if (entry.value === undefined) expect(Number(upper)).toBeGreaterThanOrEqual(truth);
      else expect(Math.abs(entry.value / truth - 1)).toBeLessThan(searched ? 1e-11 : 1e-12);
    });
  });
});
