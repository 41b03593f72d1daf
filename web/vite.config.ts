/** The site and, beside it, the scripts for other pages, each one module: `npx vite build --config web/vite.config.ts`. */
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type InlineConfig, type Plugin, runnerImport } from "vite";
import { HEADERS_FILE, POLICY } from "./policy.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(here("../package.json"), "utf8")) as { version: string };

const shared: InlineConfig = {
  configFile: false,
  root: here("."),
  base: "./",
  define: { EPSILOMETER_VERSION: JSON.stringify(version) },
  // The worker is one text inside its page, so nothing in it may become a file of its own.
  worker: { format: "es", rolldownOptions: { output: { codeSplitting: false } } },
};

/**
 * Puts into the pages what they have in common, and the worked example; the policy too, but not where the development
 * server injects scripts. Before the build looks at them, which finds styles and scripts in what was put.
 */
function staticView(): Plugin {
  const text = (name: string) => readFileSync(here(name), "utf8").trimEnd();
  let policy = "";
  return {
    name: "epsilometer:static-view",
    configResolved: ({ command }) => {
      if (command === "build") policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}" />`;
    },
    transformIndexHtml: {
      order: "pre",
      async handler(page) {
        const { module } = await runnerImport<typeof import("./prerender.ts")>(here("prerender.ts"), shared);
        const common = {
          head: text("head.html"),
          brand: text("brand.html"),
          fromFile: text("from-file.html"),
          exampleReport: dataInPage(text("example-report.json")),
        };
        const parts = new Map(Object.entries({ ...common, ...(await module.prerender()), version, policy }));
        const put = (into: string): string =>
          into.replaceAll(/<!--static:(\w+)-->/g, (_, name: string) => {
            const part = parts.get(name);
            if (part === undefined) throw new Error(`no static part ${name}`);
            return put(part);
          });
        return put(page);
      },
    },
  };
}

/** JSON as a script of data: nothing in it ends the script. */
const dataInPage = (json: string) =>
  `<script type="application/json">${JSON.stringify(JSON.parse(json)).replaceAll("<", "\\u003c")}</script>`;

/** Styles are asked for as on any page: with `crossorigin` Chromium refuses them to a page that is opened as a file. */
function plainStyles(): Plugin {
  return {
    name: "epsilometer:plain-styles",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (page) => page.replaceAll('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"'),
    },
  };
}

/** The output folder is shared with the Node package, so only what this build makes is removed before it. */
function ownOutput(): Plugin {
  return {
    name: "epsilometer:own-output",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "_headers", source: HEADERS_FILE });
      for (const name of ["LICENSE", "NOTICE"]) {
        this.emitFile({ type: "asset", fileName: `${name}.txt`, source: readFileSync(here(`../${name}`)) });
      }
    },
    buildStart: () => rmSync(here("../dist/assets"), { recursive: true, force: true }),
    closeBundle: async () => {
      for (const name of ["epsilometer", "epsilometer-report"]) await build(script(name));
    },
  };
}

const output = {
  outDir: here("../dist"),
  emptyOutDir: false,
  target: "es2022",
  modulePreload: false,
  assetsInlineLimit: 0,
} as const;

/** A script for the pages of others, in a build of its own: two in one would share files. */
const script = (name: string): InlineConfig => ({
  ...shared,
  publicDir: false,
  build: {
    ...output,
    rolldownOptions: {
      input: { [name]: here(`src/${name}.ts`) },
      preserveEntrySignatures: "allow-extension",
      output: { entryFileNames: "[name].js", chunkFileNames: "epsilometer-[name].js" },
    },
  },
});

export default defineConfig({
  ...shared,
  plugins: [staticView(), plainStyles(), ownOutput()],
  build: {
    ...output,
    rolldownOptions: {
      input: {
        index: here("index.html"),
        embed: here("embed.html"),
        goe: here("goe.html"),
        fit: here("fit.html"),
      },
    },
  },
});
