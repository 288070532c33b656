// How fast Bergamot's engine translates, as WebAssembly in Node.js: all lines of a file together, and each line alone.
//
//   node bergamot.mjs PACKAGE FOLDER FILE [LINES]
//
// PACKAGE is a folder with the npm package @browsermt/bergamot-translator 0.4.9, in which worker/package.json has
// {"type": "commonjs"}; FOLDER is an export of `ventris-export --format bergamot`. The search is greedy, on one thread.
// Prints lines, words of the translations and seconds, without the time to load the model, as a line of JSON.
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

const [, , pack, folder, file, most = '500'] = process.argv;
const {LatencyOptimisedTranslator, TranslatorBacking} = await import(resolve(pack, 'translator.js'));

async function bytesOf(path) {
  const bytes = await readFile(path);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

class LocalModel extends TranslatorBacking {
  async loadModelRegistery() {
    return [{from: 'aa', to: 'bb', files: {}}];
  }
  async loadTranslationModel() {
    return {
      model: await bytesOf(resolve(folder, 'model.bin')),
      shortlist: new ArrayBuffer(0),
      vocabs: [await bytesOf(resolve(folder, 'vocab.spm'))],
      qualityModel: null,
      config: {'gemm-precision': 'int8shiftAll'},
    };
  }
}

const translator = new LatencyOptimisedTranslator({}, new LocalModel({pivotLanguage: null, downloadTimeout: 60000}));
const translate = async text => (await translator.translate({from: 'aa', to: 'bb', text, html: false})).target.text;
const wordsIn = text => text.split(/\s+/).filter(word => word !== '').length;

async function measured(name, lines, work) {
  const begin = performance.now();
  const words = wordsIn(await work());
  console.log(JSON.stringify({name, lines: lines.length, words, seconds: (performance.now() - begin) / 1000}));
}

const lines = (await readFile(file, 'utf8')).trim().split('\n').slice(0, Number(most));
await translate(lines[0]);  // loads the model
await measured('together', lines, () => translate(lines.join('\n')));
const few = lines.slice(0, 200);
await measured('alone', few, async () => {
  const texts = [];
  for (const line of few) texts.push(await translate(line));
  return texts.join('\n');
});
await translator.delete();
process.exit(0);
