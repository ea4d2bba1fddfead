import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import { uploadBytes, uploadText } from '#test/harness/files.ts'
import { ask, collectionsPath as base, collectionOf, create, knowledgeApp, upload } from '#test/harness/knowledge.ts'
import type { Person } from '#test/harness/people.ts'

const { ana, provider } = await knowledgeApp()

describe('files of a completion', () => {
  const complete = (person: Person, files: object[], content: string, more: object = {}) =>
    person.post('/api/chat/completions', { model: 'swift', messages: [{ role: 'user', content }], files, ...more })
  const sent = () => JSON.stringify(provider.calls().at(-1)?.body.messages)

  it('are given whole where they fit, numbered, with their sources', async () => {
    const file = await upload(ana, '# Rules\n\nNo running.\n\n# Fees\n\nNine crowns.', 'rules.md')
    const { status, body } = await complete(ana, [{ type: 'file', id: file }], 'Summarise this.')
    expect(status).toBe(200)
    expect(sent()).toContain('No running.')
    expect(sent()).toContain('Nine crowns.')
    expect(sent()).toMatch(/\[1\] rules\.md/)
    expect(body.sources[0]).toMatchObject({
      source: { id: file, name: 'rules.md', type: 'file' },
      metadata: [{ file_id: file }],
    })
  })

  it('are cited with the page', async () => {
    const pdf = PDF.create()
    for (const text of ['The harbour opens at six.', 'Mooring costs nine crowns.'])
      pdf.addPage({ size: 'a4' }).drawText(text, { x: 50, y: 700 })
    const given = { name: 'harbour.pdf', type: 'application/pdf', query: 'process_in_background=false' }
    const { body: file } = await uploadBytes(ana, await pdf.save(), given)
    const { metadatas } = (await ask(ana, [`file-${file.id}`], 'mooring crowns', { k: 1 })).body
    expect(metadatas[0]).toMatchObject([{ name: 'harbour.pdf', page: 2 }])
    const { body } = await complete(ana, [{ type: 'file', id: file.id }], 'What does mooring cost?')
    expect(sent()).toMatch(/\[\d\] harbour\.pdf, page 2\\nMooring costs/)
    expect(body.sources.flatMap((one: { metadata: { page: number }[] }) => one.metadata)).toContainEqual(
      expect.objectContaining({ page: 2 }),
    )
  })

  it('in a collection are searched, and the sources come first in a stream', async () => {
    const id = await collectionOf(ana, 'The ferry leaves at nine.', 'Cats sleep a lot.')
    const streamed = await complete(ana, [{ type: 'collection', id }], 'When does the ferry leave?', { stream: true })
    const [first = ''] = streamed.text.split('\n\n')
    expect(JSON.parse(first.slice(6)).sources[0].document).toEqual(['The ferry leaves at nine.'])
    expect(sent()).toContain('The ferry leaves at nine.')
  })

  it('that are not processed are left out', async () => {
    const { body } = await uploadText(ana, 'Not read yet.', { query: 'process=false' })
    expect((await complete(ana, [{ type: 'file', id: body.id }], 'What?')).status).toBe(200)
    expect(sent()).not.toContain('Not read yet.')
  })

  it('that an earlier message brought are left out once they are gone; those of the question are not found', async () => {
    const [kept, gone] = [await upload(ana, 'The ferry is blue.'), await upload(ana, 'It was green.')]
    const id = await create(ana)
    await ana.delete(`/api/v1/files/${gone}`)
    await ana.delete(`${base}/${id}/delete`)
    const [file, collection] = [
      { type: 'file', id: gone },
      { type: 'collection', id },
    ]
    const earlier = [file, collection, { type: 'file', id: 'no id' }].map((one) => ({ ...one, earlier: true }))
    expect((await complete(ana, [...earlier, { type: 'file', id: kept }], 'Which colour?')).status).toBe(200)
    expect(sent()).toContain('The ferry is blue.')
    expect((await complete(ana, earlier, 'And now?')).status).toBe(200)
    for (const one of [file, collection]) expect((await complete(ana, [one], 'And now?')).status).toBe(404)
  })
})
