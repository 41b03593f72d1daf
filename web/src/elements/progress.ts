/** What a long calculation looks like: nothing at first, then a moving line and a way out. */
import { css, html, type TemplateResult } from "lit";
import { cancel } from "../engine/client.ts";

/** Nobody needs to be told about a quarter of a second. */
export const NOTICEABLE = 250;

export const CANCELLED = "Cancelled. The question is still there; change it or ask again.";

export const progressStyle = css`
  .progress { display: flex; gap: 0.75em; align-items: center; color: var(--muted); font-size: 0.875em; }
  .progress .line { flex: 1 1 auto; height: 2px; border-radius: 1px; background: var(--grid); overflow: hidden; }
  .progress .line::before {
    content: ""; display: block; width: 30%; height: 100%; background: var(--accent);
    animation: run 1.4s ease-in-out infinite alternate;
  }
  .progress button { min-height: 24px; }
  @keyframes run { from { transform: translateX(0); } to { transform: translateX(234%); } }
  @media (prefers-reduced-motion: reduce) { .progress .line::before { animation: none; width: 100%; opacity: 0.5; } }
`;

export const progressLine = (what: string): TemplateResult => html`<div class="progress" part="progress">
  <span>${what}</span><span class="line" role="progressbar" aria-label=${what}></span>
  <button type="button" @click=${cancel}>Cancel</button>
</div>`;
