/**
 * Speech to text with the engine that is set, in the language that the caller, the person or the administrator chose.
 * Long recordings are cut at pauses and heard piece by piece, in their order.
 */
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { type Payer, TemporaryLimit } from '#kernel/meter.ts'
import { ProcessingFailure, type Transcriber } from '#modules/files/index.ts'
import { countCall, readUsage, tokensOf } from '#modules/models/index.ts'
import type { AudioContext } from './context.ts'
import { EngineRefusal, type Listening, type Recording, type Transcript } from './engines/engine.ts'
import { findPreferences, insertPieceUnscoped, listPiecesUnscoped } from './queries.ts'
import { type StoredRecording, splitRecording } from './splitting/split-recording.ts'

export interface TranscriptionRequest {
  recording: StoredRecording
  language?: string | undefined
  model?: string | undefined
  prompt?: string | undefined
  signal: AbortSignal
}

/**
 * The words of an uploaded file, with the administrator's settings: nobody waits whose own could count. Each piece is
 * stored when it is heard, so that another attempt continues with the next.
 */
export const transcribeFile =
  (context: AudioContext): Transcriber =>
  async ({ file, signal, report }) => {
    const { db, settings } = context
    const { id: fileId, blobKey: key, name, size, contentType: type } = file
    const payer = { kind: file.ownerKind, id: file.ownerId, organizationId: file.organizationId }
    const engine = `${settings.stt.ENGINE()}/${settings.stt.MODEL() ?? ''}`
    try {
      const pieces = await splitRecording(
        context,
        { key, name, size, type, tenant: file.organizationId ?? file.ownerId },
        signal,
      )
      const known = await listPiecesUnscoped(db, fileId, engine)
      const texts: string[] = []
      for (const { start, end, read } of pieces) {
        const heard = known.find(({ startsAt, endsAt }) => startsAt === start && endsAt === end)
        const text =
          heard?.text ??
          (await listen(context, await read(), { ...unset, signal, payer, isContinued: texts.length > 0 }))
        if (!heard && pieces.length > 1)
          await insertPieceUnscoped(db, { fileId, startsAt: start, endsAt: end, engine, text })
        texts.push(text)
        await report({ stage: 'transcribing', done: texts.length, total: pieces.length })
      }
      return joined(texts)
    } catch (problem) {
      if (!isPermanent(problem)) throw problem
      throw new ProcessingFailure(`The recording can't be transcribed. ${problem.message}`, { cause: problem })
    }
  }

const unset = { language: undefined, model: undefined, prompt: undefined }

/** A spent budget too: its sentence says when to try again, and what was heard is kept until then. */
const permanentCodes = new Set(['speech_engine_not_ready', 'audio_not_readable', 'usage_limit_reached'])

const isPermanent = (problem: unknown): problem is AppError =>
  problem instanceof EngineRefusal
    ? problem.isPermanent
    : problem instanceof AppError && permanentCodes.has(problem.code) && !(problem instanceof TemporaryLimit)

/** Names that SDKs of the common API must send where the server has its own model. */
const anyModel = new Set(['default', 'whisper-1'])

export const transcribe = async (context: AudioContext, actor: Actor, request: TranscriptionRequest) => {
  const { recording, prompt, signal } = request
  const language = request.language ?? (await findPreferences(context.db, actor))?.language ?? undefined
  const isOwnChoice = request.model !== undefined && !anyModel.has(request.model)
  const model = isOwnChoice ? request.model : undefined
  const listening = { language, model, prompt, signal, payer: actor }
  const texts: string[] = []
  for (const { read } of await splitRecording(context, recording, signal))
    texts.push(await listen(context, await read(), { ...listening, isContinued: texts.length > 0 }))
  return joined(texts)
}

/** A recording's estimate for budgets, and its usage where nobody waited for the end. */
const usualTokens = 1000
/** In reports, where no model is set. */
const unnamed = 'speech_to_text'

/**
 * A recording for an engine on another server counts towards usage. Throws `usage_limit_reached` before it is asked.
 */
const listen = async (
  { listenWith, meter, settings }: AudioContext,
  recording: Recording,
  { payer, isContinued, ...listening }: Listening & { payer: Payer; isContinued: boolean },
): Promise<string> => {
  const { model, signal } = listening
  const engine = settings.stt.ENGINE()
  const hear = () => listenWith[engine].listen(recording, listening)
  if (engine === '') return (await hear()).text
  // The engine wasn't asked yet, so nothing is counted.
  signal.throwIfAborted()
  const usual = { promptTokens: 0, completionTokens: usualTokens }
  const name = model ?? settings.stt.MODEL() ?? unnamed
  const call = { payer, model: name, usual, estimate: usualTokens, isContinued, signal }
  return countCall(meter, call, async (onSpent) => {
    const transcript = await hear()
    onSpent(usageOf(transcript))
    return transcript.text
  })
}

const usageOf = ({ text, usage }: Transcript) =>
  readUsage(usage) ? usage : { prompt_tokens: 0, completion_tokens: tokensOf(text.length) }

const joined = (texts: readonly string[]): string => texts.filter((text) => text.trim() !== '').join('\n')
