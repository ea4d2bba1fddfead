/**
 * The engines that run on this machine, by `@huggingface/transformers`. The package and its models are large, so they are
 * not part of the usual installation: `docs/speech.md` has the command that adds them. Without them a call is refused
 * with that sentence.
 */
import { AppError } from '#kernel/errors.ts'
import type { SttSettings } from '../settings.ts'
import type { Listen, TtsEngine } from './engine.ts'
import { readWav } from './read-wav.ts'
import { writeWav } from './write-wav.ts'

/** The part of the package that is used here. */
export interface Transformers {
  pipeline(task: string, model: string, options: { dtype: string }): Promise<Pipeline>
}

type Pipeline = (input: Float32Array | string, options: Record<string, unknown>) => Promise<PipelineResult>

interface PipelineResult {
  text?: string
  audio?: Float32Array
  sampling_rate?: number
}

export type ImportTransformers = () => Promise<Transformers>

/** By a variable, so that nothing looks for the package before it is used. */
const packageName: string = '@huggingface/transformers'
export const importTransformers: ImportTransformers = () => import(packageName) as Promise<Transformers>

/** True when the package is there; its models are loaded with the first call. */
export const isLocalInstalled = (): boolean => {
  try {
    import.meta.resolve(packageName)
    return true
  } catch {
    return false
  }
}

/** LOCALSTT_COMPUTE_TYPE as the package calls it. */
const dtypes = { int8: 'q8', float16: 'fp16', int8_float16: 'q8', float32: 'fp32' } as const
const sttModels = { tiny: 'tiny', base: 'base', small: 'small', medium: 'medium', large: 'large-v3' } as const

export interface LocalOptions {
  importPackage: ImportTransformers
  computeType: keyof typeof dtypes
}

/** Each model is loaded once, with the first call that needs it. A load that failed is tried again by the next call. */
const createLoader = ({ importPackage, computeType }: LocalOptions) => {
  const loaded = new Map<string, Promise<Pipeline>>()
  const load = async (task: string, model: string): Promise<Pipeline> => {
    const { pipeline } = await importPackage().catch((problem: unknown) => {
      throw notReady("it isn't installed on this server. See docs/speech.md", problem)
    })
    return pipeline(task, model, { dtype: dtypes[computeType] }).catch((problem: unknown) => {
      throw notReady(`its model ${model} can't be loaded`, problem)
    })
  }
  return (task: string, model: string): Promise<Pipeline> => {
    const known = loaded.get(model)
    if (known) return known
    const loading = load(task, model)
    loaded.set(model, loading)
    loading.catch(() => loaded.delete(model))
    return loading
  }
}

const notReady = (reason: string, cause: unknown) =>
  new AppError('speech_engine_not_ready', { detail: `The local speech engine can't be used: ${reason}.`, cause })

/** Long recordings are read in overlapping pieces of thirty seconds, as the model was made for. */
export const localStt = (settings: SttSettings, options: LocalOptions): Listen => {
  const load = createLoader(options)
  return async ({ bytes }, { language }) => {
    const listen = await load(
      'automatic-speech-recognition',
      `onnx-community/whisper-${sttModels[settings.LOCALSTT_MODEL()]}`,
    )
    const samples = settings.LOCALSTT_VAD_FILTER() ? withoutSilence(readWav(bytes)) : readWav(bytes)
    const { text = '' } = await listen(samples, {
      language: language ?? settings.LOCALSTT_LANGUAGE() ?? null,
      chunk_length_s: 30,
      stride_length_s: 5,
    })
    return { text: text.trim() }
  }
}

export const localTts = (options: LocalOptions): TtsEngine => {
  const load = createLoader(options)
  return async ({ text, voice, model }) => {
    const speak = await load('text-to-speech', model)
    const { audio, sampling_rate: rate } = await speak(text, { speaker_embeddings: voice })
    if (!audio || !rate) throw new AppError('speech_engine_failed')
    return { bytes: writeWav(audio, rate), type: 'audio/wav' }
  }
}

const windowSamples = 480
const quietest = 0.005
/** Pauses between words are kept. */
const keptWindows = 10

/** Cuts pauses that are longer than 0.3 s down to that. */
export const withoutSilence = (samples: Float32Array): Float32Array => {
  const kept: Float32Array[] = []
  let silent = 0
  for (let at = 0; at < samples.length; at += windowSamples) {
    const window = samples.subarray(at, at + windowSamples)
    silent = loudness(window) < quietest ? silent + 1 : 0
    if (silent <= keptWindows) kept.push(window)
  }
  const joined = new Float32Array(kept.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const window of kept) {
    joined.set(window, at)
    at += window.length
  }
  return joined
}

const loudness = (window: Float32Array): number =>
  Math.sqrt(window.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, window.length))
