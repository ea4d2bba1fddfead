/** Fills one organization. What fails in the middle leaves nothing behind. */
import { setTimeout as sleep } from 'node:timers/promises'
import { randomToken } from '#kernel/crypto/tokens.ts'
import { StartError } from '#kernel/process/start-error.ts'
import { makeChats, makeModel } from './chats.ts'
import { firstNameOf, makeCompany, makeUnits } from './company.ts'
import { company, members } from './content/company.ts'
import type { DemoContext, Scene } from './context.ts'
import { makeDocuments } from './documents.ts'
import { makeKnowledge } from './knowledge.ts'
import { countSealingUnscoped, findDemoUnscoped } from './queries/demo.ts'
import { moveOriginsUnscoped, movePeopleUnscoped, moveRatingsUnscoped } from './queries/past.ts'
import { removeDemo } from './remove.ts'
import { type Month, makeRuns } from './runs.ts'
import { makeUsage } from './usage.ts'
import { makeWorkflows } from './workflows.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

export interface Filled {
  company: string
  /** Of all of them. */
  password: string
  people: { name: string; email: string; isAdmin: boolean }[]
}

export interface FillRequest {
  /** Of the server that the demo is made on. */
  address: string
  /** Tests make fewer runs. */
  month?: Month
  note?(line: string): void
}

export const fillDemo = async (context: DemoContext, request: FillRequest): Promise<Filled> => {
  const { address, month = { invoices: 120, nights: 30 }, note = () => undefined } = request
  if (await findDemoUnscoped(context.db))
    throw new StartError('The demo is here already. Remove it first: chancery demo --remove.')
  const password = randomToken(9)
  const scene = await makeCompany(context, { address, password })
  try {
    await fill(scene, { month, note })
  } catch (problem) {
    await removeDemo(context, address).catch(() => undefined)
    throw problem
  }
  const people = members.map(({ name, isAdmin }) => {
    const { email } = scene.person(firstNameOf(name))
    return { name, email, isAdmin: isAdmin === true }
  })
  return { company, password, people }
}

const fill = async (scene: Scene, { month, note }: Required<Pick<FillRequest, 'month' | 'note'>>): Promise<void> => {
  note('People, groups and usage …')
  await makeUnits(scene)
  await makeUsage(scene)
  note('Documents …')
  const templates = await makeDocuments(scene)
  note('Knowledge and chats …')
  await makeChats(scene, await makeKnowledge(scene))
  note('Workflows and a month of runs …')
  const workflows = await makeWorkflows(scene, { templates, model: await makeModel(scene) })
  await makeRuns(scene, workflows, month)
  await untilSealed(scene)
  await leave(scene)
}

const untilSealed = async ({ context: { db }, organizationId }: Scene): Promise<void> => {
  const end = performance.now() + 120_000
  while ((await countSealingUnscoped(db, organizationId)) > 0) {
    if (performance.now() > end) throw new Error('The documents of the demo have not been sealed.')
    await sleep(100)
  }
}

/** Ends the sessions in which all of it was done. People joined long ago and were here at different times. */
const leave = async ({ context, organizationId, people, person, now }: Scene): Promise<void> => {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const { accounts, db } = context
  for (const { id } of people)
    await accounts.changePrincipal(id, (tx) => accounts.sessions.revokeOfUnscoped(tx, id, { at: context.clock.now() }))
  await movePeopleUnscoped(
    db,
    members.map(({ name, joined, seen }) => ({
      userId: person(firstNameOf(name)).id,
      joinedAt: before(joined * dayMs),
      seenAt: before(seen * hourMs),
    })),
  )
  await moveRatingsUnscoped(db, organizationId)
  const oldest = Math.max(...members.map(({ joined }) => joined))
  await moveOriginsUnscoped(db, organizationId, { createdAt: before(oldest * dayMs), changedAt: before(40 * dayMs) })
}
