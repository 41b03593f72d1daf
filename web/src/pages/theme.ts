/** Light, dark or as the system says; the choice is remembered on this device. `theme.js` applies it before paint. */

const KEY = "epsilometer-theme";
const THEMES = ["system", "light", "dark"] as const;

export function themeSwitch(button: HTMLButtonElement): void {
  const root = document.documentElement;
  const now = () => THEMES.find((theme) => theme === root.dataset.theme) ?? "system";
  const show = () => {
    button.textContent = `${now()} theme`;
  };
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(now()) + 1) % THEMES.length] ?? "system";
    root.dataset.theme = next;
    show();
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Storage may be forbidden; the switch still works for this visit.
    }
  });
  show();
  button.disabled = false;
}
