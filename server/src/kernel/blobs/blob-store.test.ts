import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { openFiles } from '#test/harness/open-files.ts'
import { type S3Peer, startS3 } from '#test/peers/s3.ts'
import { describeAsRoot, otherUser } from '#test/process/as-root.ts'
import { type BlobStore, BlobStoreUnavailable } from './blob-store.ts'
import { createBlobStore } from './create-blob-store.ts'

let folder: string
let s3: S3Peer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-test-'))
  s3 = await startS3()
})

afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const openFolder = () => createBlobStore({ folder, clock: systemClock })
const openS3 = (options: Partial<S3Peer> = {}) =>
  createBlobStore({ folder, clock: systemClock, s3: { ...s3, ...options } })
const code = (expected: string) => expect.objectContaining({ name: 'AppError', code: expected })
const filesIn = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

/** The temporary files of uploads that this process holds open. */
const openSpools = async () => (await openFiles()).filter((path) => path.startsWith(join(folder, 'tmp')))

async function* pieces(count: number, failAfter = Infinity): AsyncGenerator<Buffer> {
  for (let piece = 0; piece < count; piece++) {
    if (piece >= failAfter) throw new Error('the upload was cut')
    yield Buffer.from(`piece ${piece};`)
  }
}

describe.each([
  ['a folder', openFolder],
  ['an S3-compatible store', openS3],
])('blobs in %s', (_name, open) => {
  let blobs: BlobStore

  beforeAll(async () => {
    blobs = await open()
  })
  afterAll(() => blobs.close())

  const read = async (key: string, range?: { start: number; end?: number }) => {
    const blob = await blobs.get(key, range)
    return blob && { text: await text(blob.stream), size: blob.size }
  }

  it('come back as they were put, with their size and hash', async () => {
    const bytes = randomBytes(300_000)
    const stored = await blobs.put('files/one', bytes, { contentType: 'application/pdf' })

    expect(stored).toEqual({ size: 300_000, sha256: createHash('sha256').update(bytes).digest('hex') })
    const blob = await blobs.get('files/one')
    expect(blob?.size).toBe(300_000)
    expect(blob && bytes.equals(await buffer(blob.stream))).toBe(true)
  })

  it('may be put as a stream of unknown length', async () => {
    const whole = (await text(Readable.from(pieces(5000)))).length
    expect(await blobs.put('files/stream', Readable.from(pieces(5000)))).toMatchObject({ size: whole })
    expect((await read('files/stream'))?.text).toMatch(/^piece 0;.*piece 4999;$/)
  })

  it('may be empty', async () => {
    expect(await blobs.put('files/empty', new Uint8Array())).toMatchObject({ size: 0 })
    expect(await read('files/empty')).toEqual({ text: '', size: 0 })
    expect(await blobs.put('files/empty', pieces(0))).toMatchObject({ size: 0 })
  })

  it('are replaced by a second put, even while the first is being read', async () => {
    await blobs.put('files/twice', Buffer.from('first'))
    const reading = await blobs.get('files/twice')
    await blobs.put('files/twice', pieces(1))
    expect(reading && (await text(reading.stream))).toBe('first')
    expect(await read('files/twice')).toEqual({ text: 'piece 0;', size: 8 })
  })

  it('exist until they are deleted, and may be deleted twice', async () => {
    await blobs.put('files/gone', Buffer.from('x'))
    expect(await blobs.exists('files/gone')).toBe(true)
    await blobs.delete('files/gone')
    await blobs.delete('files/gone')
    expect(await blobs.exists('files/gone')).toBe(false)
    expect(await blobs.get('files/gone')).toBeUndefined()
  })

  it.each([
    [{ start: 2, end: 4 }, 'cde'],
    [{ start: 0, end: 0 }, 'a'],
    [{ start: 7 }, 'hij'],
    [{ start: 8, end: 500 }, 'ij'],
  ])('answer the range %j', async (range, expected) => {
    await blobs.put('files/range', Buffer.from('abcdefghij'))
    expect(await read('files/range', range)).toEqual({ text: expected, size: 10 })
  })

  it.each([{ start: 10 }, { start: -1 }, { start: 5, end: 4 }, { start: 0.5 }, { start: Number.NaN }])(
    'refuse the range %j',
    async (range) => {
      await blobs.put('files/range', Buffer.from('abcdefghij'))
      await expect(blobs.get('files/range', range)).rejects.toThrowError(code('range_not_satisfiable'))
    },
  )

  it('refuse more than the cap and keep nothing of it', async () => {
    await expect(blobs.put('files/large', pieces(100), { maxBytes: 50 })).rejects.toThrowError(code('body_too_large'))
    await expect(blobs.put('files/large', Buffer.alloc(51), { maxBytes: 50 })).rejects.toThrowError(
      code('body_too_large'),
    )
    expect(await blobs.exists('files/large')).toBe(false)
    expect(await blobs.put('files/large', Buffer.alloc(50), { maxBytes: 50 })).toMatchObject({ size: 50 })
  })

  it('keep the old blob when an upload breaks off', async () => {
    await blobs.put('files/broken', Buffer.from('old'))
    await expect(blobs.put('files/broken', Readable.from(pieces(10, 3)))).rejects.toThrowError('the upload was cut')
    expect(await read('files/broken')).toEqual({ text: 'old', size: 3 })
  })

  it('keep keys apart that a path could mix up', async () => {
    const keys = ['a', 'a/b', 'a-b', 'a/b/c', 'a/b-c', 'tmp', 'tmp/a']
    for (const key of keys) await blobs.put(key, Buffer.from(key))
    for (const key of keys) expect((await read(key))?.text).toBe(key)
  })

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '..',
    '../a',
    'a/../b',
    'a.b',
    'A',
    'a_b',
    'a\\b',
    'a\0',
    'a b',
    '-a',
    'é',
    'a'.repeat(201),
  ])('refuse the key %j in every way', async (key) => {
    const attempts = [
      () => blobs.put(key, Buffer.from('x')),
      () => blobs.get(key),
      () => blobs.exists(key),
      () => blobs.delete(key),
    ]
    for (const attempt of attempts) await expect(attempt()).rejects.toThrowError('not a blob key')
  })
})

describe('the folder', () => {
  it('lets nobody but its owner in and leaves no temporary file behind', async () => {
    const blobs = await openFolder()
    await blobs.put('files/private', Buffer.from('x'))
    await blobs.put('files/failing', pieces(10, 3)).catch(() => undefined)
    for (const file of await filesIn()) {
      expect(file.parentPath).not.toBe(join(folder, 'tmp'))
      expect((await stat(join(file.parentPath, file.name))).mode & 0o777).toBe(0o600)
      expect((await stat(file.parentPath)).mode & 0o777).toBe(0o700)
    }
  })

  it('clears what a crash left in tmp a day ago, and nothing younger', async () => {
    const dayAndMore = new Date(Date.now() - 25 * 60 * 60 * 1000)
    await writeFile(join(folder, 'tmp', 'crashed'), 'half')
    await utimes(join(folder, 'tmp', 'crashed'), dayAndMore, dayAndMore)
    await writeFile(join(folder, 'tmp', 'running'), 'half')
    await openFolder()
    expect(await readdir(join(folder, 'tmp'))).toEqual(['running'])
    await rm(join(folder, 'tmp', 'running'))
  })
})

describeAsRoot('the folder of another user', () => {
  it('has nothing that only root can read, after a command that root ran beside the server', async () => {
    const dataDir = join(folder, 'of-another-user')
    await mkdir(dataDir)
    await chown(dataDir, otherUser, otherUser)
    const root = join(dataDir, 'blobs')
    const blobs = await createBlobStore({ folder: root, clock: systemClock })
    await blobs.put('files/demo', Buffer.from('of the demo'))
    await blobs.close()
    const found = await readdir(root, { recursive: true })
    expect(found).toHaveLength(3)
    for (const path of [root, ...found.map((name) => join(root, name))]) {
      expect(await stat(path)).toMatchObject({ uid: otherUser, gid: otherUser })
    }
  })
})

describe('the S3-compatible store', () => {
  it('gets the content type and leaves no temporary file behind', async () => {
    const blobs = await openS3()
    await blobs.put('files/typed', pieces(2), { contentType: 'text/plain' })
    await blobs.put('files/cut', pieces(10, 3)).catch(() => undefined)
    expect(s3.objects.get('files/typed')?.contentType).toBe('text/plain')
    expect(await readdir(join(folder, 'tmp'))).toEqual([])
    await blobs.close()
  })

  it('refuses a wrong secret, and that is not taken for a missing blob', async () => {
    const blobs = await openS3({ secretAccessKey: 'wrong' })
    await expect(blobs.put('files/x', Buffer.from('x'))).rejects.toThrowError('SignatureDoesNotMatch')
    await expect(blobs.get('files/x')).rejects.toThrowError()
    await expect(blobs.exists('files/x')).rejects.toThrowError()
    await blobs.close()
  })

  it('fails a put when it is down, without leaving the spooled file open or behind', async () => {
    const down = await startS3()
    await down.close()
    const blobs = await openS3({ endpoint: down.endpoint })
    await expect(blobs.put('files/x', pieces(10))).rejects.toThrowError(BlobStoreUnavailable)
    expect(await openSpools()).toEqual([])
    await blobs.close()
  })

  it('does not take a missing bucket for a missing blob', async () => {
    const blobs = await openS3({ bucket: 'nowhere' })
    await expect(blobs.get('files/x')).rejects.toThrowError('NoSuchBucket')
    await blobs.close()
  })
})
