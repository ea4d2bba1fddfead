/** Emails the author of a workflow, or its organization's admins, when one of its event triggers was paused. */
import type { Kernel } from '#kernel/kernel.ts'
import { compose } from '#kernel/mail/compose.ts'
import { followsFor } from '#kernel/mail/mail.ts'
import { errorLine, plainName, words } from '#kernel/mail/words.ts'
import type { PauseListener, Subscription } from '#modules/event-bus/index.ts'
import { findOwnerAddresses } from '../owner-mail.ts'
import { listOwnersUnscoped, type WorkflowOwner } from '../queries/names.ts'

/** In the transaction that pauses, so there is one email for each pause. */
export const mailPaused =
  (kernel: Pick<Kernel, 'mail' | 'externalUrl'>): PauseListener =>
  async (tx, subscriptions) => {
    const owners = await listOwnersUnscoped(
      tx,
      subscriptions.map(({ workflowId }) => workflowId),
    )
    for (const subscription of subscriptions) {
      const owner = owners.find(({ id }) => id === subscription.workflowId)
      if (!owner) continue
      const mail = composePaused(kernel, subscription, owner)
      for (const to of await findOwnerAddresses(tx, owner))
        await kernel.mail.send(tx, { to, by: followsFor(owner), ...mail })
    }
  }

const composePaused = (
  { externalUrl }: Pick<Kernel, 'externalUrl'>,
  { name, pausedReason }: Subscription,
  workflow: WorkflowOwner,
) =>
  compose({
    subject: words`Trigger paused: ${plainName(name)} in ${plainName(workflow.name)}`,
    title: words`A trigger was paused`,
    paragraphs: [
      words`The filter of the trigger "${plainName(name)}" in the workflow "${plainName(workflow.name)}" kept failing, so the trigger was paused. It gets no events until you change it.`,
      words`The last error was: ${errorLine(pausedReason ?? '')}`,
    ],
    action: { label: 'Open the workflow', url: `${externalUrl}/workflows/${workflow.id}` },
  })
