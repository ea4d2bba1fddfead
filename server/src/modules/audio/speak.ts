/**
 * Text to speech with the engine that is set. The same words with the same settings are made once: the audio is kept as a
 * blob under a hash of all that decides it. A crash between the two leaves a blob that the sweep deletes.
 */
import { createHash } from 'node:crypto'
import type { SpeechBody } from '@chancery/contract/files/audio.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { countCall, tokensOf } from '#modules/models/index.ts'
import type { AudioContext } from './context.ts'
import type { Speaking, Speech } from './engines/engine.ts'
import { findPreferences, findSpeechUnscoped, insertSpeechUnscoped, touchSpeechUnscoped } from './queries.ts'
import { isKey } from './settings.ts'
import type { SpeechCacheTable } from './tables.ts'

export interface KeptSpeech {
  key: string
  contentType: string
  size: number
  sha256: string
}

export const speak = async (
  context: AudioContext,
  actor: Actor,
  { body, signal }: { body: SpeechBody; signal: AbortSignal },
): Promise<KeptSpeech> => {
  const { clock, db, settings } = context
  const engine = settings.tts.ENGINE()
  if (engine === '') throw new AppError('speech_engine_not_set')
  const own = await findPreferences(db, actor)
  const speaking: Speaking = {
    text: body.input,
    voice: body.voice ?? own?.voice ?? settings.tts.VOICE(),
    model: body.model ?? own?.ttsModel ?? settings.tts.MODEL(),
    speed: body.speed ?? own?.speed ?? undefined,
    format: body.response_format,
    instructions: body.instructions,
    signal,
  }
  const { signal: _signal, ...sound } = speaking
  const hash = hashOf({ scope: scopeOf(actor), engine, settings: facts(context), ...sound })
  const known = await findSpeechUnscoped(db, hash)
  if (known) {
    await touchSpeechUnscoped(db, hash, clock.now())
    return keptIn(known)
  }
  return keep(context, hash, await makeSpeech(context, actor, { engine, speaking }))
}

/** Text for an engine on another server counts towards usage. Throws `usage_limit_reached` before it is asked. */
const makeSpeech = (
  { meter, speakWith }: AudioContext,
  actor: Actor,
  { engine, speaking }: { engine: keyof AudioContext['speakWith']; speaking: Speaking },
): Promise<Speech> => {
  if (engine === 'transformers') return speakWith[engine](speaking)
  const { model, signal, text } = speaking
  const usual = { promptTokens: tokensOf(text.length), completionTokens: 0 }
  const call = { payer: actor, model, usual, estimate: usual.promptTokens, signal }
  return countCall(meter, call, async (onSpent) => {
    const speech = await speakWith[engine](speaking)
    onSpent()
    return speech
  })
}

/** Settings that change the sound without being part of the request: all others but keys. */
const facts = ({ settings: { tts } }: AudioContext): unknown[] => {
  const { ENGINE: _engine, MODEL: _model, VOICE: _voice, ...others } = tts
  return Object.entries(others).flatMap(([field, read]) => (isKey(field) ? [] : [read()]))
}

const hashOf = (decides: Record<string, unknown>): string =>
  createHash('sha256').update(JSON.stringify(decides)).digest('hex')

const keptIn = ({ blobKey, contentType, bytes, sha256 }: SpeechCacheTable): KeptSpeech => ({
  key: blobKey,
  contentType,
  size: Number(bytes),
  sha256,
})

const keep = async ({ blobs, clock, db }: AudioContext, hash: string, { bytes, type }: Speech): Promise<KeptSpeech> => {
  const blob = await blobs.stage(bytes, { area: 'speech' })
  const row = { hash, blobKey: blob.key, contentType: type, bytes: blob.size, sha256: blob.sha256, usedAt: clock.now() }
  const isKept = await db.transaction().execute(async (tx) => {
    const isFirst = await insertSpeechUnscoped(tx, row)
    if (isFirst) await blobs.claim(tx, blob.key)
    return isFirst
  })
  if (isKept) return keptIn(row)
  await blobs.discardUnclaimed([blob.key])
  const first = await findSpeechUnscoped(db, hash)
  if (!first) throw new AppError('speech_engine_failed')
  return keptIn(first)
}
