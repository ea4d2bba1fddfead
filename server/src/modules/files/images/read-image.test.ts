import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { atEnd } from '#test/harness/at-end.ts'
import { uploadBytes } from '#test/harness/files.ts'
import { knowledgeApp, upload } from '#test/harness/knowledge.ts'
import type { Person } from '#test/harness/people.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'chancery-images-'))
atEnd(() => rmSync(dataDir, { recursive: true, force: true }))
const { app, ana, stranger, provider } = await knowledgeApp({ SVC_DATA_DIR: dataDir })

describe('an image in a message', () => {
  it('reaches a model that can see, named by its file; other models and foreign files are refused', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    )
    const { body: file } = await uploadBytes(ana, png, { name: 'dot.png', type: 'image/png', query: 'process=false' })
    const show = (person: Person, fileId: string, model = 'swift') =>
      person.post('/api/chat/completions', {
        model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: `/api/v1/files/${fileId}/content` } },
            ],
          },
        ],
      })
    expect((await show(ana, file.id)).status).toBe(200)
    const url = `data:image/png;base64,${png.toString('base64')}`
    expect(provider.calls().at(-1)?.body.messages.at(-1).content.at(-1)).toEqual({
      type: 'image_url',
      image_url: { url },
    })
    const before = provider.calls().length
    expect((await show(stranger, file.id)).status).toBe(404)
    expect((await show(ana, await upload(ana, 'No picture.'))).body.code).toBe('not_an_image')
    const owner = await app.platformOwner()
    const blind = {
      id: 'blind',
      name: 'Blind',
      base_model_id: 'swift',
      meta: { capabilities: ['tools'] },
      access_grants: null,
    }
    await owner.post('/api/v1/models/create', blind)
    expect((await show(ana, file.id, 'blind')).body.code).toBe('model_cannot_see')
    expect(provider.calls()).toHaveLength(before)
  })
})

describe('a large image', () => {
  const { PhotonImage } = createRequire(import.meta.url)('@silvia-odwyer/photon-node')
  const noise = new Uint8Array(2000 * 100 * 4).map((_value, index) => (index % 4 === 3 ? 255 : (index * 7919) % 251))
  const picture = Buffer.from(new PhotonImage(noise, 2000, 100).get_bytes())
  const shown = async (fileId: string) => {
    const image = { type: 'image_url', image_url: { url: `/api/v1/files/${fileId}/content` } }
    const reply = await ana.post('/api/chat/completions', {
      model: 'swift',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }],
    })
    return { ...reply, url: String(provider.calls().at(-1)?.body.messages[0].content.at(-1).image_url?.url) }
  }
  const uploadImage = async (bytes: Uint8Array) =>
    (await uploadBytes(ana, bytes, { name: 'wide.png', type: 'image/png', query: 'process=false' })).body.id as string

  it('is made smaller for the model, once; the file stays as it was and takes the smaller one with it', async () => {
    const id = await uploadImage(picture)
    const { status, url } = await shown(id)
    expect(status).toBe(200)
    const [type, data = ''] = url.split(';base64,')
    expect(type).toBe('data:image/png')
    const small = PhotonImage.new_from_byteslice(Buffer.from(data, 'base64'))
    expect([small.get_width(), small.get_height()]).toEqual([1568, 78])
    const kept = () => app.db.selectFrom('fileImages').selectAll().where('fileId', '=', id).execute()
    const [first] = await kept()
    expect((await shown(id)).url).toBe(url)
    expect(await kept()).toEqual([first])
    const original = await ana.get(`/api/v1/files/${id}`)
    expect(original.body.hash).toBe(createHash('sha256').update(picture).digest('hex'))
    const stored = () => globSync(`**/${first?.blobKey?.replaceAll('/', '_')}`, { cwd: dataDir })
    expect(stored()).toHaveLength(1)
    await ana.delete(`/api/v1/files/${id}`)
    await expect.poll(stored).toEqual([])
  })

  const pngPart = (type: string, data: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    const named = Buffer.concat([Buffer.from(type), data])
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  /** A billion pixels in 300 kB. */
  const bomb = () => {
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
    head.writeUInt32BE(32_000, 0)
    head.writeUInt32BE(32_000, 4)
    const parts = [pngPart('IHDR', head), pngPart('tEXt', Buffer.alloc(300_000, 'a')), pngPart('IDAT', Buffer.alloc(9))]
    return Buffer.concat([picture.subarray(0, 8), ...parts, pngPart('IEND', Buffer.alloc(0))])
  }

  it.each([
    ['is damaged', () => picture.subarray(0, 300_000)],
    ['has a billion pixels (A29)', bomb],
  ])('that %s is refused with a sentence', async (_how, bytes) => {
    const { status, body } = await shown(await uploadImage(bytes()))
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'image_unreadable' })
  })
})
