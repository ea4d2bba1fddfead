/**
 * Tells the owner of a workflow that its runs fail: at most one email for each workflow and hour, about runs that a
 * trigger started. Who starts a run by hand sees how it ends. A crash before the commit leaves it to the next minute.
 */
import { z } from 'zod'
import { defineJob, type JobDefinition } from '#kernel/jobs/jobs.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { followsFor } from '#kernel/mail/mail.ts'
import { errorLine, plainName, words } from '#kernel/mail/words.ts'
import { findOwnerAddresses } from '../owner-mail.ts'
import { claimFailingUnscoped, type Failing } from '../queries/failures.ts'
import { listOwnersUnscoped, type WorkflowOwner } from '../queries/names.ts'

const hourMs = 3_600_000
const maxAtOnce = 100

type Needs = Pick<Kernel, 'clock' | 'db' | 'mail' | 'externalUrl'>

export const failureMailJob = (needs: Needs): JobDefinition =>
  defineJob({
    name: 'workflows.failure-mails',
    data: z.strictObject({}),
    policy: 'exclusive',
    timetable: { cron: '* * * * *', data: {} },
    handle: () => mailFailures(needs),
  })

const mailFailures = ({ clock, db, mail, externalUrl }: Needs): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const hourAgo = new Date(now.getTime() - hourMs)
    const failing = await claimFailingUnscoped(tx, { now, hourAgo, limit: maxAtOnce })
    if (failing.length === 0) return
    const owners = await listOwnersUnscoped(
      tx,
      failing.map(({ workflowId }) => workflowId),
    )
    for (const one of failing) {
      const owner = owners.find(({ id }) => id === one.workflowId)
      if (!owner) continue
      const message = composeFailure(externalUrl, owner, one)
      for (const to of await findOwnerAddresses(tx, owner))
        await mail.send(tx, { to, by: followsFor(owner), ...message })
    }
  })

const composeFailure = (externalUrl: string, { id, name }: WorkflowOwner, { count, error, runId }: Failing) =>
  compose({
    subject: words`Workflow failed: ${plainName(name)}`,
    title: words`A workflow failed`,
    paragraphs: [
      count === 1
        ? words`A run of the workflow "${plainName(name)}" failed.`
        : words`${count} runs of the workflow "${plainName(name)}" failed.`,
      words`The last error was: ${errorLine(error ?? 'none was reported')}`,
      words`You get at most one such email for each workflow and hour.`,
    ],
    action: { label: 'View the last run', url: `${externalUrl}/workflows/${id}/runs/${runId}` },
  })
