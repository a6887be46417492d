// Bundle the mission page: one script and one style sheet, with the licences of what they contain.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const out = '../src/remora/report/mission_page/assets';
const result = await build({
  entryPoints: ['src/main.js'], bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'none', write: false,
});
const read = (path) => readFileSync(path, 'utf8');
const sources = [...readdirSync('src').sort().map((name) => `src/${name}`), 'build.mjs', 'package.json', 'package-lock.json'];
const digest = createHash('sha256');
for (const path of sources) digest.update(path).update('\0').update(readFileSync(path)).update('\0');
const licence = (name) => `${name} ${JSON.parse(read(`node_modules/${name}/package.json`)).version}\n\n${read(`node_modules/${name}/LICENSE`)}`;

writeFileSync(`${out}/page.js`, result.outputFiles[0].text);
writeFileSync(`${out}/page.css`, read('node_modules/uplot/dist/uPlot.min.css') + read('src/page.css'));
writeFileSync(`${out}/page.html`, read('src/page.html'));
writeFileSync(`${out}/LICENCES.txt`, ['three', 'uplot'].map(licence).join('\n\n'));
writeFileSync(`${out}/sources.sha256`, `${digest.digest('hex')}\n`);
console.log(`page.js ${(result.outputFiles[0].contents.length / 1e6).toFixed(2)} MB`);
