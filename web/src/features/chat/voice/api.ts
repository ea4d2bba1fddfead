/** Speech by the server's engines. */
import * as endpoints from '@chancery/contract/endpoints/audio.ts'
import { Transcription } from '@chancery/contract/files/audio.ts'
import { addressOf } from '@chancery/contract/reading/address.ts'
import { api } from '#lib/http/api.ts'

export const fetchSpeech = (input: string, signal: AbortSignal): Promise<ArrayBuffer> =>
  api.bytes(addressOf(endpoints.speak), { input }, signal)

export async function transcribe(recording: Blob, language: string | null): Promise<string> {
  const form = new FormData()
  form.append('file', recording, 'speech.wav')
  if (language !== null) form.append('language', language)
  const options = { onProgress: () => undefined, signal: new AbortController().signal }
  return (await api.upload(addressOf(endpoints.transcribe), form, Transcription, options)).text.trim()
}
