/** Uploads files as a browser does. */
import { expect } from 'vitest'
import type { Client, Reply } from './client.ts'

interface UploadOptions {
  name?: string
  type?: string
  query?: string
  metadata?: string
}

export const uploadBytes = async (
  person: Client,
  bytes: Uint8Array | string,
  { name = 'notes.txt', type = 'application/octet-stream', query = '', metadata }: UploadOptions = {},
): Promise<Reply> => {
  const form = new FormData()
  if (metadata !== undefined) form.append('metadata', metadata)
  form.append('file', new Blob([bytes as BlobPart], { type }), name)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return person.send('POST', `/api/v1/files/${query === '' ? '' : `?${query}`}`, {
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  })
}

export const uploadText = (person: Client, text: string, options: UploadOptions = {}): Promise<Reply> =>
  uploadBytes(person, text, { type: 'text/plain', ...options })

/** Waits for the end of processing in the background. */
export const processed = async (person: Client, id: string) => {
  const status = async () => (await person.get(`/api/v1/files/${id}/process/status`)).body
  await expect.poll(async () => (await status()).status, { timeout: 30_000 }).not.toBe('pending')
  return status()
}
