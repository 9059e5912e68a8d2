// Puts the page of Figure 1 into one file: node pack.mjs FOLDER figure_1.wasm SCENE VERSION OUT
import { readFileSync, writeFileSync } from 'node:fs';

const [folder, wasm, scene, version, out] = process.argv.slice(2);
const bytes = readFileSync(wasm);
const parts = {
  WASM: bytes.toString('base64'),
  SCENE: JSON.stringify(JSON.parse(readFileSync(scene, 'utf8'))).replaceAll('<', '\\u003c'),
  SCRIPT: readFileSync(folder + '/figure_1.js', 'utf8').trim(),
  VERSION: version,
  SIZE: String(Math.ceil(bytes.length / 1024)),
};
const page = readFileSync(folder + '/figure_1.html', 'utf8').replace(/@([A-Z]+)@/g, (all, name) => parts[name] ?? all);
writeFileSync(out, page);
