/** Speech: recordings to text, text to audio, with engines that the platform admin chooses. The public interface. */
import './tables.ts'
import type { Kernel, Module } from '#kernel/kernel.ts'
import type { Files } from '#modules/files/index.ts'
import type { Models } from '#modules/models/index.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { AudioConfig } from './config.ts'
import type { AudioContext } from './context.ts'
import { createPostToEngine } from './engines/engine.ts'
import { importTransformers, isLocalInstalled, localStt, localTts } from './engines/local.ts'
import { remoteStt } from './engines/remote-stt.ts'
import { remoteTts } from './engines/remote-tts.ts'
import { deletePiecesUnscoped } from './queries.ts'
import { audioRoutes } from './routes.ts'
import { registerAudioSettings } from './settings.ts'
import type { tasks } from './splitting/split.worker.ts'
import { sweepJob } from './sweep.ts'
import { transcribeFile } from './transcribe.ts'

interface Needs {
  kernel: Kernel<AudioConfig>
  settings: Settings
  models: Pick<Models, 'meter'>
  files: Pick<Files, 'registerCompletion' | 'registerTranscriber'>
}

export const createAudio = ({ kernel, settings, models, files }: Needs): Module => {
  const { blobs, children, clock, config, db, log, outbound } = kernel
  const values = registerAudioSettings(settings, config)
  const timeoutMs = config.HTTP_CLIENT_TIMEOUT * 1000
  const post = createPostToEngine({ outbound, log, verifyTls: config.HTTP_CLIENT_SESSION_SSL, timeoutMs })
  const local = { importPackage: importTransformers, computeType: config.LOCALSTT_COMPUTE_TYPE }
  const context: AudioContext = {
    blobs,
    children,
    clock,
    config,
    db,
    log,
    settings: values,
    meter: models.meter,
    splitter: children.declare<typeof tasks>({
      name: 'recording-splitter',
      script: new URL('./splitting/split.worker.ts', import.meta.url),
      processes: 1,
      // Each piece of an M4A file comes with its tables: 4 MB hold five hours.
      limits: { memoryMb: 512, cpuMs: 25_000, wallMs: 60_000, messageBytes: 16 * 1024 * 1024 },
    }),
    listenWith: {
      '': { listen: localStt(values.stt, local), isReady: isLocalInstalled },
      ...remoteStt(values.stt, post),
    },
    speakWith: { ...remoteTts(values.tts, post), transformers: localTts(local) },
  }
  files.registerTranscriber(transcribeFile(context))
  files.registerCompletion((tx, { id }) => deletePiecesUnscoped(tx, id))
  return { routes: audioRoutes(context, settings), jobs: [sweepJob(context)] }
}
