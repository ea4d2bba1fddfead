/** Knowledge in the browser: collections with files and folders, and what questions find in them. */
import { describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { uploadBytes, uploadText } from '../harness/files.ts'
import { startEmbedder } from '../peers/embedder.ts'
import { hasBrowser, visit } from './browser.ts'

const embedder = await startEmbedder()
const app = await testApp({ env: embedder.env })
const ana = await app.user({ name: 'Ana Ruiz', org: 'Ruiz Estates' })
const ben = await app.user({ name: 'Ben Okafor', org: 'Ruiz Estates' })

const text = (name: string, content: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

describe.runIf(hasBrowser)('knowledge in the browser', () => {
  it('takes a person from the first collection over files, a failure and a question to sharing it', async () => {
    const { page, problems, inspect } = await visit(`${app.url}/knowledge`, { as: ana })
    await page.getByText('No collections yet').waitFor()
    await inspect('knowledge-empty')
    await page.getByRole('button', { name: 'New collection' }).first().click()
    await page.getByLabel('Name').fill('House rules')
    await page.getByRole('button', { name: 'Create collection' }).click()
    await page.getByText('No files yet').waitFor()

    await page
      .getByLabel('Files', { exact: true })
      .first()
      .setInputFiles([
        text('rules.md', '# Quiet hours\n\nNo music after ten in the evening.'),
        text('boats.txt', 'A vessel may moor at the pier for one night.'),
        { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 nothing else') },
      ])
    const files = page.getByRole('table', { name: 'Files' })
    const row = (name: string) => files.getByRole('row').filter({ hasText: name })
    await row('rules.md').getByText('Ready').waitFor()
    await row('boats.txt').getByText('Ready').waitFor()
    await row('broken.pdf').getByText('Failed').waitFor()
    await row('broken.pdf').getByRole('button', { name: 'Process broken.pdf again' }).click()
    await row('broken.pdf').getByText('Failed').waitFor()
    await row('broken.pdf').getByRole('button', { name: 'Remove broken.pdf' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => row('broken.pdf').count()).toBe(0)

    await page.getByLabel('Question', { exact: true }).fill('ferry')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const first = page.getByRole('list', { name: 'Passages' }).getByRole('listitem').first()
    await first.getByText('A vessel may moor').waitFor()
    await first.getByText(/Found by meaning: no\. 1/).waitFor()
    await inspect('knowledge-collection')

    await page.getByRole('button', { name: 'rules.md' }).first().click()
    const preview = page.getByRole('dialog', { name: 'rules.md' })
    await preview.getByText('No music after ten').waitFor()
    await preview.getByText('Chunks', { exact: true }).click()
    await preview.getByText('1 chunk, 1 of 1 searchable by meaning').waitFor()
    await inspect('knowledge-preview')
    await preview.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Actions for House rules' }).click()
    await page.getByRole('menuitem', { name: 'Edit and share' }).click()
    await page.getByRole('combobox', { name: 'Add a person, group or organization' }).fill('Okafor')
    await page.getByRole('option', { name: /Ben Okafor/ }).click()
    await page.getByLabel('Permission of Ben Okafor').selectOption('write')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Shared', { exact: true }).waitFor()
    const { items } = (await ben.get('/api/v1/knowledge/')).body
    expect(items).toMatchObject([{ name: 'House rules', write_access: true, file_count: 2 }])
    expect(problems).toEqual([])
  })

  it('lists a person’s own files with their state, and deletes one everywhere', async () => {
    const eva = await app.user({ name: 'Eva Lind', org: 'Lind' })
    const now = { query: 'process_in_background=false' }
    const { id } = (await eva.post('/api/v1/knowledge/create', { name: 'Pier' })).body
    const { body: kept } = await uploadText(eva, 'A vessel may moor here.', { name: 'boats.txt', ...now })
    await eva.post(`/api/v1/knowledge/${id}/file/add`, { file_id: kept.id })
    await uploadBytes(eva, '%PDF-1.7 nothing else', { name: 'broken.pdf', type: 'application/pdf', ...now })
    const { page, problems, inspect } = await visit(`${app.url}/knowledge/files`, { as: eva })
    await page.getByRole('meter', { name: 'Storage of your organization' }).waitFor()
    const files = page.getByRole('table', { name: 'Files' })
    await files.getByText('boats.txt').waitFor()
    await inspect('knowledge-files')
    await page.getByLabel('Status').selectOption('failed')
    await expect.poll(() => files.getByRole('row').count()).toBe(2)
    await page.getByLabel('Status').selectOption('')
    await files.getByText('boats.txt').waitFor()
    await page.getByRole('button', { name: 'Actions for boats.txt' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete file' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(() => files.getByText('boats.txt').count()).toBe(0)
    expect((await eva.get(`/api/v1/knowledge/${id}`)).body.files).toEqual([])
    expect(problems).toEqual([])
  })
})
