/**
 * Attacks that append something to a sealed file to show another page. Files of many programs, sealed here, and judged
 * as strangers' files.
 */
import { readFileSync } from 'node:fs'
import type { VerifyReply } from '@chancery/contract/signing/verification.ts'
import { describe, expect, it } from 'vitest'
import { firstSix, forge, forgeries } from '#test/harness/forgeries.ts'
import { documentId, startSealDesk } from '#test/harness/seals.ts'
import { startPoppler } from '#test/peers/poppler.ts'

const producers = ['chromium', 'libreoffice', 'mutool', 'pdf-lib', 'qpdf'] as const
const producedBy = (name: string): Buffer =>
  readFileSync(new URL(`../../../../test/harness/producers/${name}.pdf`, import.meta.url))

const desk = await startSealDesk({ TRUSTED_PROXIES: '127.0.0.1' })
const poppler = startPoppler()
let callers = 0

const verify = async (file: Buffer): Promise<VerifyReply> => {
  callers += 1
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'a.pdf')
  const headers = { 'x-forwarded-for': `2001:db8:${callers.toString(16)}::1` }
  const reply = await fetch(`${desk.door.url}/api/public/verify`, { method: 'POST', body: form, headers })
  expect(reply.status).toBe(200)
  return (await reply.json()) as VerifyReply
}

describe.each(producers)('a file by %s', (producer) => {
  it('is valid once it is sealed, and whatever is appended makes it invalid and says what changed', async () => {
    const sealed = await desk.seal([producedBy(producer)])
    expect(await verify(sealed)).toMatchObject({ valid: true, intact: true, documentId })
    for (const name of Object.keys(forgeries)) {
      const reply = await verify(await forge(name, sealed))
      const told = reply.signatures.map(({ changes, reason }) => ({ reason, isTold: changes.length > 0 }))
      expect(reply, name).toMatchObject({ valid: false, intact: false, coversWholeFile: false, laterSignatures: [] })
      expect(told, name).toEqual([{ reason: 'changed', isTold: true }])
      expect(reply, name).not.toHaveProperty('documentId')
    }
  })

  it('that another program has written again after it was sealed is not valid', async () => {
    const sealed = await desk.seal([producedBy(producer)])
    const reply = await verify(poppler.rewritten(sealed))
    expect(reply).toMatchObject({ valid: false, intact: false, sealedHere: false })
    for (const { reason } of reply.signatures) expect(reason).toBe('mismatch')
  })
})

describe('a forged page', () => {
  it.each(Object.keys(firstSix))('with %s is drawn by another reader, and is named', async (name) => {
    const sealed = await desk.seal([producedBy('mutool')])
    const forged = await forge(name, sealed)
    expect(poppler.pages(forged)).not.toEqual(poppler.pages(sealed))
    const [signature] = (await verify(forged)).signatures
    expect(signature?.changes.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^page|^pages/)]),
    )
  })
})
