/**
 * The place where `npm run fast-embeddings` puts the fast engine: in the installation, since a child may not read the
 * data folder.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const fastFolder = fileURLToPath(new URL('../../../../../fast-embeddings', import.meta.url))

/** The library looks for the second file in the folder of the first. */
export const fastFiles = (folder: string) => ({
  addon: join(folder, 'onnxruntime_binding.node'),
  runtime: join(folder, 'libonnxruntime.so.1'),
  model: join(folder, 'model_quantized.onnx'),
  tokenizer: join(folder, 'tokenizer.json'),
})

export const isFastInstalled = (folder: string): boolean => Object.values(fastFiles(folder)).every(existsSync)
