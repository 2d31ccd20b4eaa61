/** The look of the page. Theme colours: Okabe and Ito's set for all kinds of colour vision, without its black and yellow, and Tol's wine and olive. */
export const style = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --raised: #ffffff; --ink: #22262b; --soft: #5f666e; --rule: #dedbd4; --edge: #69727c; --accent: #c2185b; --plain: #9aa1a9;
  --theme-0: #0072b2; --theme-1: #e69f00; --theme-2: #009e73; --theme-3: #cc79a7; --theme-4: #56b4e9; --theme-5: #d55e00; --theme-6: #882255; --theme-7: #999933;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --raised: #1d2024; --ink: #e8e5df; --soft: #a3a7ac; --rule: #34383d; --edge: #8f979f; --accent: #ff6f9f; --plain: #6c737b;
    --theme-0: #2a84cc; --theme-4: #93d5ff; --theme-6: #c0608c;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { margin: 0; height: 100%; }
body { display: grid; grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) 25rem; background: var(--paper); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
header { padding: 1rem 1.5rem .75rem; }
h1 { margin: 0; font: 600 1.35rem/1.3 "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif; overflow-wrap: anywhere; }
h1 span { font-weight: 400; color: var(--soft); }
h2 { margin: 0 0 .5rem; font-size: 1rem; overflow-wrap: anywhere; }
h3 { margin: 1.1rem 0 .35rem; font-size: .8rem; font-weight: 600; color: var(--soft); }
small, .note, .counts { color: var(--soft); font-size: .82rem; font-weight: 400; }
p { margin: 0 0 .6rem; }
.counts { margin: .15rem 0 .75rem; }
.search { position: relative; max-width: 44rem; display: flex; gap: .5rem; }
input[type=search] { flex: 1; min-width: 0; padding: .55rem .8rem; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: .5rem; }
input::-webkit-search-cancel-button { display: none; }
button { font: inherit; color: inherit; cursor: pointer; }
.search button, .zoom button { padding: .4rem .75rem; background: var(--raised); border: 1px solid var(--rule); border-radius: .5rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
#offers { position: absolute; z-index: 3; inset: calc(100% + .25rem) 0 auto; max-height: 21rem; overflow: auto; margin: 0; padding: .3rem; list-style: none; background: var(--raised); border: 1px solid var(--rule); border-radius: .5rem; box-shadow: 0 8px 28px rgb(0 0 0 / .16); }
#offers li { padding: .4rem .6rem; border-radius: .35rem; cursor: pointer; overflow-wrap: anywhere; }
#offers li:hover, #offers [aria-selected=true] { background: color-mix(in srgb, var(--accent) 12%, transparent); }
#offers small { white-space: nowrap; }
main { position: relative; min-height: 0; background: var(--paper); border-block: 1px solid var(--rule); }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline-offset: -2px; }
#tip { position: absolute; z-index: 2; max-width: 16rem; padding: .4rem .6rem; pointer-events: none; font-size: .82rem; line-height: 1.4; background: var(--raised); border: 1px solid var(--rule); border-radius: .4rem; box-shadow: 0 4px 14px rgb(0 0 0 / .14); overflow-wrap: anywhere; }
#promise { margin: .5rem 0 0; max-width: 44rem; }
.zoom { position: absolute; right: .75rem; top: .75rem; display: flex; gap: .3rem; }
.zoom button { min-width: 2.2rem; padding: .2rem .6rem; }
footer { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; align-items: center; padding: .65rem 1.5rem; font-size: .85rem; }
footer label { display: flex; align-items: center; gap: .6rem; }
footer input { width: 11rem; accent-color: var(--accent); }
output { color: var(--soft); font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem .3rem; margin: 0; padding: 0; list-style: none; max-height: 5.6rem; overflow: auto; }
.legend li, .legend button { display: inline-flex; align-items: center; gap: .4rem; padding: .1rem .4rem; }
.legend li:has(button) { padding: 0; }
.legend button { background: none; border: 0; border-radius: .3rem; }
.legend button:hover { background: color-mix(in srgb, var(--ink) 8%, transparent); }
.legend span { max-width: 15rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend svg { flex: none;  width: .95rem; height: .95rem; fill: var(--plain); }
aside { grid-area: 1 / 2 / -1 / 3; overflow: auto; padding: 1.15rem 1.35rem 2rem; background: var(--raised); border-left: 1px solid var(--rule); }
aside > * + * { margin-top: 1.25rem; padding-top: 1.15rem; border-top: 1px solid var(--rule); }
aside > [hidden] + * { margin-top: 0; }
.text { font: 1.02rem/1.6 "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, serif; white-space: pre-line; overflow-wrap: anywhere; }
.words { margin: 0; padding-left: 1.1rem; }
.words li, dd { overflow-wrap: anywhere; }
.lines { margin: 0; padding: 0; list-style: none; counter-reset: rank; }
ol.lines { list-style: none; }
.line { display: block; width: 100%; padding: .4rem .5rem; margin: 0 -.5rem; text-align: left; background: none; border: 0; border-radius: .35rem; }
.line span, .line small { display: block; overflow-wrap: anywhere; }
button.line:hover { background: color-mix(in srgb, var(--ink) 7%, transparent); }
#hits .lines li { display: grid; grid-template-columns: 1.7rem 1fr; counter-increment: rank; }
#hits .lines li::before { content: counter(rank); padding-top: .4rem; font-weight: 700; color: var(--accent); font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .15rem .9rem; margin: 1rem 0 0; font-size: .88rem; }
dt { color: var(--soft); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
figure { margin: 0; }
figure svg { width: 100%; fill: var(--theme-0); stroke: none; }
figure path { stroke: var(--rule); }
summary { cursor: pointer; font-weight: 600; }
@media (max-width: 800px) {
  body { display: block; height: auto; }
  header { padding: .9rem 1rem .7rem; }
  main { position: sticky; top: 0; z-index: 1; height: 52vh; }
  aside > * { scroll-margin-top: 53vh; }
  header { position: relative; z-index: 2; }
  footer { padding: .6rem 1rem; }
  aside { border: 0; border-top: 1px solid var(--rule); padding: 1rem 1rem 2rem; overflow: visible; }
  #offers small { white-space: normal; }
}
@media (prefers-reduced-motion: no-preference) { html, aside { scroll-behavior: smooth; } }
`
