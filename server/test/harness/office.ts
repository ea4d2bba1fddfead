/** A person's office with something in everything, and how to see whether it is the same somewhere else. */
import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from './app.ts'
import { prepareChat } from './chat.ts'
import type { Client } from './client.ts'
import { processed, uploadBytes } from './files.ts'
import { finished, publish, startByHand } from './runs.ts'
import { documentsPath, getDocument, sendDraft, visitorsOf } from './signing.ts'
import { chain } from './workflows.ts'

const bytesAt = async (who: Client, path: string) =>
  createHash('sha256')
    .update((await who.get(path)).text)
    .digest('hex')

export const furnishOffice = async (app: TestApp) => {
  const ana = await app.user({ name: 'Ana Owner', org: `Office ${randomUUID()}` })
  const { chatId } = await prepareChat(ana, { question: 'Naïve "quotes", a \\ and a\ttab?' })
  const { body: upload } = await uploadBytes(ana, Buffer.from([0, 255, 10, 92, 46, 13]), { name: 'some.bin' })
  await processed(ana, upload.id)
  const { id: documentId } = await sendDraft(ana)
  const [visitor] = await visitorsOf(app, await getDocument(ana, documentId))
  await visitor?.sign()
  await expect.poll(async () => (await getDocument(ana, documentId)).state, { timeout: 60_000 }).toBe('COMPLETED')
  const workflowId = await publish(ana, chain('a', 'b'))
  const { id: runId } = await finished(ana, (await startByHand(ana, workflowId, { n: 1 })).body.id)
  const paths = [
    `/api/v1/chats/${chatId}`,
    `/api/v1/files/${upload.id}`,
    `${documentsPath}/${documentId}`,
    `${documentsPath}/${documentId}/audit`,
    `/api/v1/agent-workflows/${workflowId}`,
    `/api/v1/agent-runs/${runId}`,
  ]
  const contents = [`/api/v1/files/${upload.id}/content`, `${documentsPath}/${documentId}/file?version=sealed`]
  return {
    ana,
    workflowId,
    readBodies: (who: Client) => Promise.all(paths.map(async (path) => (await who.get(path)).body)),
    /** A download is an entry of the audit log: hash before reading bodies. */
    hashContents: (who: Client) => Promise.all(contents.map((path) => bytesAt(who, path))),
  }
}
