/** The evidence in a sealed PDF can be checked by anybody, with a script that shares nothing with the server. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { plainPdf } from '../server/test/harness/pdfs.ts'
import { startSealDesk } from '../server/test/harness/seals.ts'

const folder = mkdtempSync(join(tmpdir(), 'chancery-evidence-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const desk = await startSealDesk()
const original = await plainPdf()
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const script = fileURLToPath(new URL('./verify-evidence.mjs', import.meta.url))
const check = (...args: string[]): { code: number | null; says: string } => {
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { code: status, says: stdout }
}
const attached = join(folder, 'evidence.json')
execFileSync('pdfdetach', ['-save', '1', '-o', attached, write('sealed.pdf', await desk.seal([original]))])
const evidence = JSON.parse(readFileSync(attached, 'utf8'))

describe('the script that checks evidence', () => {
  it('confirms the log that is attached to a sealed PDF, and the original beside it', () => {
    expect(check(attached, write('original.pdf', original))).toMatchObject({
      code: 0,
      says: expect.stringContaining('is complete: 1 entries'),
    })
  })

  it.each([
    ['a changed entry', { audit: [{ ...evidence.audit[0], ip: '203.0.113.1' }] }, /Entry 1 was changed/],
    ['a missing entry', { audit: [] }, /missing at the end/],
    ['the log of another document', { documentId: 'another' }, /does not follow/],
  ])('A58: notices %s', (_name, change, says) => {
    const result = check(write('forged.json', JSON.stringify({ ...evidence, ...change })))
    expect(result).toMatchObject({ code: 1, says: expect.stringMatching(says) })
  })

  it('confirms the log of a document from before its certificate had a version', () => {
    const { documentId, audit, chainHead, files } = evidence
    expect(check(write('before.json', JSON.stringify({ documentId, audit, chainHead, files })))).toMatchObject({
      code: 0,
    })
  })

  const [bob] = evidence.recipients
  const [file] = evidence.files
  it.each([
    ['another address', { recipients: [{ ...bob, ip: '203.0.113.1' }] }, /when and where Bob signed/],
    ['another time', { recipients: [{ ...bob, signedAt: '2020-01-01T00:00:00.000Z' }] }, /when and where Bob signed/],
    ['a signature that is left out', { recipients: [{ ...bob, signedAt: null }] }, /whether Bob signed/],
    ['a signer who never was', { recipients: [bob, { ...bob, id: 'x', name: 'Eve' }] }, /whether Eve signed/],
    ['another file', { files: [{ ...file, sha256: 'a' }] }, /signed the file a/],
    ['a file that nobody received', { recipients: [{ ...bob, viewed: [{ fileId: 'f', sha256: 'b' }] }] }, /received/],
    ['a value that nobody signed', { recipients: [{ ...bob, fields: [{ id: 'f', after: 'x' }] }] }, /every field/],
  ])('notices facts that the log does not say: %s', (_name, change, says) => {
    const result = check(write('facts.json', JSON.stringify({ ...evidence, ...change })))
    expect(result).toMatchObject({ code: 1, says: expect.stringMatching(says) })
  })

  it('notices an original that is not the one that was signed', () => {
    expect(check(attached, write('other.pdf', 'other'))).toMatchObject({ code: 1 })
  })

  it('says what it needs when there is nothing to check', () => {
    expect(check()).toMatchObject({ code: 2, says: expect.stringContaining('Usage') })
    expect(check(write('empty.json', '{}'))).toMatchObject({ code: 2 })
  })
})
