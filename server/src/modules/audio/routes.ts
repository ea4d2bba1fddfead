/** `/api/v1/audio`, and the two calls that SDKs of the common API make at their base address. */

import * as endpoints from '@chancery/contract/endpoints/audio.ts'
import { Transcription } from '@chancery/contract/files/audio.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { replyWithBlob } from '#kernel/http/replies/blob-reply.ts'
import { type HttpCall, type Route, route } from '#kernel/http/route.ts'
import type { Settings } from '#modules/settings/index.ts'
import type { AudioContext } from './context.ts'
import { changedSettings, presentConfig } from './present-config.ts'
import { findPreferences, savePreferences } from './queries.ts'
import { speak } from './speak.ts'
import type { StoredRecording } from './splitting/split-recording.ts'
import { transcribe } from './transcribe.ts'

const maxRecordingBytes = 25 * 1024 * 1024
const types = ['audio/wav', 'audio/mpeg', 'audio/ogg', 'audio/flac', 'audio/mp4', 'video/mp4', 'video/webm'] as const
const limits = [{ per: 'actor', max: 120, windowSec: 60 }] as const

export const audioRoutes = (context: AudioContext, settings: Pick<Settings, 'save'>): Route[] => [
  ...(['/api/v1/audio/transcriptions', '/api/audio/transcriptions'] as const).map((path) =>
    transcriptionRoute(context, path),
  ),
  ...(['/api/v1/audio/speech', '/api/audio/speech'] as const).map((path) => speechRoute(context, path)),
  ...configRoutes(context, settings),
  ...preferenceRoutes(context),
]

const transcriptionRoute = (context: AudioContext, path: `/api/${string}`): Route =>
  route({
    ...endpoints.transcribe,
    path,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Speech to text: the words of a recording of at most 25 MB',
    limits,
    upload: { maxBytes: maxRecordingBytes, types },
    handle: async ({ actor, body, http }) => {
      const { language, model, prompt } = body
      const recording = recordingOf(actor, http)
      const text = await transcribe(context, actor, { recording, language, model, prompt, signal: http.signal })
      if (body.response_format === 'text')
        return { headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` }
      return {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(Transcription.parse({ text })),
      }
    },
  })

const recordingOf = (actor: Actor, { files: [file] }: HttpCall): StoredRecording => {
  if (!file) throw new AppError('upload_expired')
  const { key, name, size, type = 'application/octet-stream' } = file
  return { key, name, size, type, tenant: actor.organizationId ?? actor.id }
}

const speechRoute = (context: AudioContext, path: `/api/${string}`): Route =>
  route({
    ...endpoints.speak,
    path,
    access: 'signedIn',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Text to speech: the words as audio',
    limits,
    handle: async ({ actor, body, http }) => {
      const speech = await speak(context, actor, { body, signal: http.signal })
      return replyWithBlob({ blobs: context.blobs, http }, { ...speech, name: 'speech' }, { inline: true })
    },
  })

const configRoutes = ({ settings: values }: AudioContext, { save }: Pick<Settings, 'save'>): Route[] => [
  route({
    ...endpoints.getAudioConfig,
    access: 'platformOwner',
    summary: 'The speech engines and their settings; keys are not shown',
    handle: async () => presentConfig(values),
  }),
  route({
    ...endpoints.changeAudioConfig,
    access: 'platformOwner',
    writes: { reachesOthers: false, whenReadOnly: 'refused' },
    summary: 'Change settings of the speech engines; null goes back to the environment’s value',
    handle: async ({ actor, body, http }) => {
      const changes = changedSettings(values, body)
      if (Object.keys(changes).length > 0) await save(actor, changes, http)
      return presentConfig(values)
    },
  }),
]

const preferenceRoutes = (context: AudioContext): Route[] => {
  const abilities = async (actor: Actor) => ({
    canTranscribe: canTranscribe(context),
    canSpeak: context.settings.tts.ENGINE() !== '',
    preferences: (await findPreferences(context.db, actor)) ?? noPreferences,
  })
  return [
    route({
      ...endpoints.getAudioPreferences,
      access: 'user',
      summary: "What the server can do with speech, and the caller's own choices",
      handle: async ({ actor }) => abilities(actor),
    }),
    route({
      ...endpoints.changeAudioPreferences,
      access: 'user',
      writes: { reachesOthers: false, whenReadOnly: 'refused' },
      summary: 'Change one’s own choices; they win over the administrator’s',
      handle: async ({ actor, body }) => {
        if (Object.keys(body).length > 0)
          await savePreferences(context.db, actor, { changes: body, at: context.clock.now() })
        return abilities(actor)
      },
    }),
  ]
}

const noPreferences = { voice: null, ttsModel: null, speed: null, language: null }

const canTranscribe = ({ listenWith, settings }: AudioContext): boolean => listenWith[settings.stt.ENGINE()].isReady()
