/** Settings of speech. */

import { get, patch, post } from '../endpoint.ts'
import {
  AudioAbilities,
  AudioConfig,
  AudioConfigBody,
  AudioPreferencesBody,
  SpeechBody,
  TranscriptionBody,
} from '../files/audio.ts'

export const getAudioConfig = get('/api/v1/audio/config', { reply: AudioConfig })
export const changeAudioConfig = post('/api/v1/audio/config/update', { body: AudioConfigBody, reply: AudioConfig })
export const getAudioPreferences = get('/api/v1/audio/preferences', { reply: AudioAbilities })
export const changeAudioPreferences = patch('/api/v1/audio/preferences', {
  body: AudioPreferencesBody,
  reply: AudioAbilities,
})
export const transcribe = post('/api/v1/audio/transcriptions', { body: TranscriptionBody, reply: 'raw' })
export const speak = post('/api/v1/audio/speech', { body: SpeechBody, reply: 'raw' })
