import { build } from './client/build.ts'
import { camera } from './client/camera.ts'
import { countOn } from './client/count-on.ts'
import { gestures } from './client/gestures.ts'
import { lights } from './client/lights.ts'
import { listNodes } from './client/list-nodes.ts'
import { model } from './client/model.ts'
import { offers } from './client/offers.ts'
import { painter } from './client/painter.ts'
import { readIntegers } from './client/read-integers.ts'
import { searchBox } from './client/search-box.ts'
import { showResults } from './client/show-results.ts'
import { showNode } from './client/show-node.ts'
import { stage } from './client/stage.ts'
import { switchLevels } from './client/switch-levels.ts'
import { threshold } from './client/threshold.ts'
import { decodePage } from './client/decode.ts'
import { viewer, type Parts } from './client/viewer.ts'
import { words } from './client/words.ts'

const parts: Parts = {
  build,
  camera,
  countOn,
  gestures,
  lights,
  listNodes,
  model,
  offers,
  painter,
  readIntegers,
  searchBox,
  showHits: showResults,
  showNode,
  stage,
  switchLevels,
  threshold,
  unpack: decodePage,
  words,
}

/** The viewer as the source of a script: every part as the text of its own function, started on the data of the page. */
export function script(): string {
  const sources = Object.entries(parts).map(([name, part]) => `${name}: ${String(part)}`)
  return [
    "'use strict'",
    // esbuild, which runs the sources uncompiled, wraps functions in a call that keeps their names
    'const __name = (wrapped) => wrapped',
    `const parts = {\n${sources.join(',\n')}\n}`,
    `;(${String(viewer)})(window, JSON.parse(document.getElementById('data').textContent), parts)`,
  ].join('\n')
}
