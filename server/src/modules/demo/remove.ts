/**
 * Removes the demo: what runs is ended by the modules themselves, people are deleted as an operator would delete them,
 * then the rest of the organization goes in one transaction. Stopped in the middle, it may be called again.
 */
import { Client } from '@chancery/client'
import { deleteModel, listCustomModels } from '@chancery/contract/endpoints/models.ts'
import { deleteWorkflow, listWorkflows } from '@chancery/contract/endpoints/workflows.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { asPrincipal } from '#modules/accounts/index.ts'
import type { DemoContext } from './context.ts'
import { type DemoPerson, findDemoUnscoped, listPeopleUnscoped } from './queries/demo.ts'
import { deleteRestUnscoped, listBlobKeysUnscoped } from './queries/rest.ts'

export const removeDemo = async (context: DemoContext, address: string): Promise<void> => {
  const { accounts, blobs, db } = context
  const organizationId = await findDemoUnscoped(db)
  if (organizationId === undefined) throw new StartError('There is no demo here.')
  const people = await listPeopleUnscoped(db, organizationId)
  const [admin] = people.filter(({ role }) => role === 'ROLE_ORG_ADMIN')
  if (admin) await endWork(context, { address, admin })
  for (const { id: userId } of people) await accounts.users.deleteUnscoped('system', { userId })
  await db.transaction().execute(async (tx) => {
    await blobs.release(tx, await listBlobKeysUnscoped(tx, organizationId))
    await deleteRestUnscoped(tx, organizationId, people)
  })
}

/** Workflows stop, and every server forgets the models. */
const endWork = async (
  { accounts, db }: DemoContext,
  { address, admin }: { address: string; admin: DemoPerson },
): Promise<void> => {
  const from = { ip: '127.0.0.1', userAgent: null, requestId: 'demo' }
  const user = await accounts.users.findByIdUnscoped(db, admin.id)
  if (!user) return
  const { token } = await db
    .transaction()
    .execute((tx) => accounts.sessions.open(tx, { principal: asPrincipal(user), from, method: 'new' }))
  const client = new Client({ url: address, token })
  const workflows = []
  for await (const { id } of client.each(listWorkflows, { query: {} })) workflows.push(id)
  for (const id of workflows) await client.call(deleteWorkflow, { params: { id } })
  const { items } = await client.call(listCustomModels)
  for (const { id } of items) await client.call(deleteModel, { query: { id } })
}
