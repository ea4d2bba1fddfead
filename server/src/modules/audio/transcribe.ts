/** Speech to text with the engine that is set, in the language that the caller, the person or the administrator chose. */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { ProcessingFailure, type Transcriber } from '#modules/files/index.ts'
import type { AudioContext } from './context.ts'
import type { Recording } from './engines/engine.ts'
import { findPreferences } from './queries.ts'

export interface TranscriptionRequest {
  recording: Recording
  language?: string | undefined
  model?: string | undefined
  prompt?: string | undefined
  signal: AbortSignal
}

/** The words of an uploaded file, with the administrator's settings: nobody waits whose own could count. */
export const transcribeFile =
  ({ listenWith, settings }: AudioContext): Transcriber =>
  async ({ signal, ...recording }) => {
    const unset = { language: undefined, model: undefined, prompt: undefined }
    try {
      return await listenWith[settings.stt.ENGINE()](recording, { ...unset, signal })
    } catch (problem) {
      const isMissing = problem instanceof AppError && problem.code === 'speech_engine_not_ready'
      if (isMissing) throw new ProcessingFailure(`The recording can't be transcribed. ${problem.message}`)
      throw problem
    }
  }

/** What SDKs of the common API must name where the server has its own model. */
const anyModel = new Set(['default', 'whisper-1'])

export const transcribe = async (context: AudioContext, actor: Actor, request: TranscriptionRequest) => {
  const { recording, prompt, signal } = request
  const engine = context.settings.stt.ENGINE()
  const language = request.language ?? (await findPreferences(context.db, actor))?.language ?? undefined
  const isOwnChoice = request.model !== undefined && !anyModel.has(request.model)
  const model = isOwnChoice ? request.model : undefined
  return context.listenWith[engine](recording, { language, model, prompt, signal })
}
