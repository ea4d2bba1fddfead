import { expect, it } from 'vitest'
import { hashFile } from './hash-file.ts'

it.each([0, 1, 55, 56, 63, 64, 65, 200_000])('hashes %i bytes as everybody else does', async (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 251)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  expect(await hashFile(new Blob([bytes]))).toBe(hex)
})
