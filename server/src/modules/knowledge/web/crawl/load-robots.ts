/** Reads a site's robots.txt, through the guarded client. */
import { AppError } from '#kernel/errors.ts'
import type { KnowledgeContext } from '../../context.ts'
import { agentName, userAgent } from '../fetch-page.ts'
import { everythingAllowed, nothingAllowed, parseRobots, type RobotRules } from './robots.ts'

const limits = { maxBytes: 512 * 1024, totalMs: 15_000 }

export type RulesFor = (url: string) => Promise<RobotRules>

/** The rules of each site, read once. */
export const createRobots = (context: Pick<KnowledgeContext, 'outbound'>, signal: AbortSignal): RulesFor => {
  const known = new Map<string, Promise<RobotRules>>()
  return (url) => {
    const { origin } = new URL(url)
    const rules = known.get(origin) ?? load(context, origin, signal)
    known.set(origin, rules)
    return rules
  }
}

const unread = "We couldn't read the site's robots.txt, which says what may be added."

/** A site without one allows everything. One that fails or can't be reached may not be crawled (RFC 9309, 2.3.1.4). */
const load = async (
  { outbound }: Pick<KnowledgeContext, 'outbound'>,
  origin: string,
  signal: AbortSignal,
): Promise<RobotRules> => {
  try {
    const headers = { accept: 'text/plain', 'user-agent': userAgent }
    const reply = await outbound.fetch(`${origin}/robots.txt`, { ...limits, headers, signal })
    if (reply.status === 200) return parseRobots(await reply.text(), agentName)
    reply.discard()
    return reply.status >= 500
      ? nothingAllowed(`${unread} It answered with status ${reply.status}.`)
      : everythingAllowed
  } catch (problem) {
    signal.throwIfAborted()
    if (!(problem instanceof AppError)) throw problem
    return nothingAllowed(problem.code === 'outbound_blocked' ? problem.message : `${unread} ${problem.message}`)
  }
}
