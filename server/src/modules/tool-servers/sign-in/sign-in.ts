/** Signing in at an MCP server, on behalf of one person: begun here, finished by the callback of their browser. */
import { hashToken, randomToken } from '#kernel/crypto/tokens.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import type { ToolServerRecord } from '../catalog.ts'
import type { ToolServersContext } from '../context.ts'
import { insertServerLogin, saveServerTokens, takeServerLogin } from '../queries/server-sign-ins.ts'
import { expiryOf, openGrant, sealGrant } from './access-token.ts'
import { takeStep } from './grant.ts'

const loginMs = 10 * 60_000

const failed = (detail: string, cause?: unknown): AppError =>
  new AppError('tool_server_sign_in_failed', { detail, ...(cause !== undefined && { cause }) })

/** The address of the page where the person signs in. */
export const beginSignIn = async (
  { kernel }: Pick<ToolServersContext, 'kernel'>,
  actor: Actor,
  server: Pick<ToolServerRecord, 'id' | 'name' | 'url'>,
): Promise<string> => {
  const { db, clock } = kernel
  const state = randomToken()
  const step = await takeStep(kernel, { server, grant: {}, state }).catch((problem: unknown) => {
    throw failed(`${server.name} can’t be reached, or doesn’t offer a sign-in.`, problem)
  })
  if (step.kind !== 'sign-in') throw failed(`${server.name} doesn’t ask anybody to sign in.`)
  await insertServerLogin(db, actor, {
    stateHash: hashToken(state),
    serverId: server.id,
    url: server.url,
    sealed: sealGrant(kernel, { actor, serverId: server.id }, step.grant),
    expiresAt: new Date(clock.now().getTime() + loginMs),
    now: clock.now(),
  })
  return step.url
}

interface Returned {
  state: string
  code: string
}

/** Throws where the sign-in was begun by somebody else, for another server, too long ago, or is finished already. */
export const finishSignIn = async (
  { kernel }: Pick<ToolServersContext, 'kernel'>,
  actor: Actor,
  { server, returned }: { server: Pick<ToolServerRecord, 'id' | 'name' | 'url'>; returned: Returned },
): Promise<void> => {
  const { db, clock } = kernel
  const login = await takeServerLogin(db, actor, {
    stateHash: hashToken(returned.state),
    serverId: server.id,
    url: server.url,
    now: clock.now(),
  })
  if (!login) throw failed('This sign-in has expired. Start again.')
  const whose = { actor, serverId: server.id }
  const grant = openGrant(kernel, whose, login.sealed)
  const step = await takeStep(kernel, { server, grant, code: returned.code }).catch((problem: unknown) => {
    throw failed(`${server.name} didn’t accept the sign-in. Start again.`, problem)
  })
  const { client, tokens } = step.grant
  if (step.kind !== 'authorized' || !client || !tokens) throw failed(`${server.name} gave no access. Start again.`)
  await saveServerTokens(db, actor, {
    serverId: server.id,
    url: server.url,
    sealed: sealGrant(kernel, whose, { client, tokens }),
    expiresAt: expiryOf(clock.now(), tokens),
    updatedAt: clock.now(),
  })
}
