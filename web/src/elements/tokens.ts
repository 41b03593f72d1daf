/** Colours of the widgets. A page overrides them through custom properties or just by its colour scheme. */
import { css, unsafeCSS } from "lit";
import colours from "./colours.css?inline";

export const tokens = [
  unsafeCSS(colours),
  css`
  :host {
    color: inherit;
    font-variant-numeric: tabular-nums;
  }
  /* What is ours reads from left to right on any page, and keeps its letters: a Δ is not a δ. */
  [dir="ltr"] {
    text-transform: none;
    font-variant-caps: normal;
    letter-spacing: normal;
    word-spacing: normal;
    text-indent: 0;
    white-space: normal;
    hyphens: manual;
  }
  button {
    font: inherit;
    font-size: 0.8125em;
    color: var(--ink);
    background: none;
    border: 1px solid var(--grid);
    border-radius: 6px;
    min-height: 28px;
    padding: 0 10px;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--accent);
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  /* It may quote whatever somebody typed. */
  .refusal {
    color: var(--warning);
    overflow-wrap: anywhere;
  }
  @media print {
    button {
      display: none;
    }
  }
`,
];
