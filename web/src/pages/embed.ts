/** The page for people who embed: live widgets, their tags to copy. The widgets come from the module they would use. */
import { themeSwitch } from "./theme.ts";

for (const example of document.querySelectorAll(".example")) {
  const button = example.querySelector("button");
  const code = example.querySelector("code");
  button?.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
}

const theme = document.querySelector<HTMLButtonElement>("#theme");
if (theme) themeSwitch(theme);
