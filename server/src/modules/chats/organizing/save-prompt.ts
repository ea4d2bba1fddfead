/** Creates, changes and deletes prompts. A command is unique among a person's own; colleagues may use the same one. */
import type { PromptBody } from '@chancery/contract/chats/prompts.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { requireVerifiedEmail } from '#kernel/http/gate/verified-email.ts'
import type { ChatsContext } from '../context.ts'
import {
  countPrompts,
  deletePrompt,
  insertPromptUnscoped,
  isCommandTaken,
  type PromptRow,
  updatePrompt,
} from '../queries/prompts.ts'

export const maxPrompts = 500

export const createPrompt = async (context: ChatsContext, actor: Actor, body: PromptBody): Promise<PromptRow> => {
  const { db, clock, ids } = context
  requireShareable(context, actor, body)
  await context.requireWritable(db, actor)
  // Two requests at once may pass this by one; the limit only keeps the list short.
  if ((await countPrompts(db, actor)) >= maxPrompts) throw new AppError('prompt_limit_reached')
  const now = clock.now()
  const prompt = {
    id: ids.next(),
    userId: actor.id,
    organizationId: actor.organizationId,
    ...body,
    createdAt: now,
    updatedAt: now,
  }
  if (!(await insertPromptUnscoped(db, prompt))) throw new AppError('prompt_command_taken')
  return prompt
}

export const changePrompt = async (
  context: ChatsContext,
  actor: Actor,
  { promptId, body }: { promptId: string; body: PromptBody },
): Promise<PromptRow> => {
  const { db, clock } = context
  requireShareable(context, actor, body)
  await context.requireWritable(db, actor)
  return db.transaction().execute(async (tx) => {
    if (await isCommandTaken(tx, actor, { id: promptId, command: body.command }))
      throw new AppError('prompt_command_taken')
    const change = { id: promptId, organizationId: actor.organizationId, ...body, updatedAt: clock.now() }
    const changed = await updatePrompt(tx, actor, change)
    if (!changed) throw new AppError('prompt_not_found')
    return changed
  })
}

/** A shared prompt is for the colleagues; somebody without an organization has none. */
const requireShareable = ({ config }: ChatsContext, actor: Actor, { shared }: PromptBody): void => {
  if (shared && actor.organizationId !== null) requireVerifiedEmail(config, actor)
}

export const removePrompt = async (context: ChatsContext, actor: Actor, promptId: string): Promise<void> => {
  if (!(await deletePrompt(context.db, actor, promptId))) throw new AppError('prompt_not_found')
}
