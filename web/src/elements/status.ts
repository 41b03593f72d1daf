/** One polite status node for the whole document: what has settled is said once, however many elements speak. */

const QUIET = 250;
const HIDDEN = {
  position: "absolute",
  width: "1px",
  height: "1px",
  overflow: "hidden",
  "clip-path": "inset(50%)",
  "white-space": "nowrap",
};

let node: HTMLElement | null = null;
let timer = 0;

export function say(text: string): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    if (!node?.isConnected) node = create();
    node.textContent = text;
  }, QUIET);
}

function create(): HTMLElement {
  const status = document.createElement("div");
  status.setAttribute("role", "status");
  status.className = "epsilometer-status";
  // Through the object model, because a strict host page forbids style attributes.
  for (const [name, value] of Object.entries(HIDDEN)) status.style.setProperty(name, value);
  document.body.append(status);
  return status;
}
