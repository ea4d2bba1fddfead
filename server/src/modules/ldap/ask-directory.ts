/**
 * Search, then bind: the service account finds the entry, and the password is tried on it over a connection of its own.
 * Both connections are made whether or not there is an entry, so that the time tells nothing.
 */
import { randomBytes } from 'node:crypto'
import type { Log } from '#kernel/log.ts'
import type { Outbound } from '#kernel/outbound/index.ts'
import type { Directory } from './directory.ts'
import { childOf } from './dn.ts'
import { DirectoryFailure } from './failures.ts'
import { findGroups } from './groups.ts'
import { type DirectoryPerson, findPeople } from './person.ts'
import { bindAsService, converse, opensEntry, refusalReason } from './wire/conversation.ts'

export type Finding =
  /** Exactly one entry, and the password opens it. */
  | { verdict: 'right'; person: DirectoryPerson; groups: string[] }
  /** Exactly one entry, and the password does not open it. */
  | { verdict: 'wrong' }
  /** No entry, or more than one. */
  | { verdict: 'unknown' }
  /** The directory cannot be asked. */
  | { verdict: 'unusable' }

interface Deps {
  outbound: Outbound
  log: Log
}

interface Question {
  login: string
  password: string
}

const controlCharacter = /\p{Cc}/u

export const askDirectory = async (deps: Deps, directory: Directory, question: Question): Promise<Finding> => {
  if (question.password === '' || controlCharacter.test(question.login)) return { verdict: 'wrong' }
  try {
    return await searchThenBind(deps, directory, question)
  } catch (problem) {
    if (!(problem instanceof DirectoryFailure)) throw problem
    const { step, message } = problem
    deps.log.warn({ err: problem, step, organizationId: directory.organizationId }, `ldap: unusable: ${message}`)
    return { verdict: 'unusable' }
  }
}

const searchThenBind = ({ outbound, log }: Deps, directory: Directory, { login, password }: Question) => {
  const { organizationId, endpoint, service, baseDn, groupRoles } = directory
  const target = { outbound, endpoint }
  return converse(target, async (client): Promise<Finding> => {
    await bindAsService(client, service)
    const people = await findPeople(client, directory, login)
    const person = people.length === 1 ? people[0] : undefined
    const dn = person?.dn ?? childOf(baseDn, 'cn', randomBytes(8).toString('hex'))
    const isRight = await converse(target, (own) =>
      opensEntry(own, { dn, password }, (problem) => {
        if (person) log.info({ organizationId, dn, reason: refusalReason(problem) }, 'ldap: the bind was refused')
      }),
    )
    if (!person) {
      log.info({ organizationId, entries: people.length }, 'ldap: the login does not name exactly one entry')
      return { verdict: 'unknown' }
    }
    if (!isRight) return { verdict: 'wrong' }
    return {
      verdict: 'right',
      person,
      groups: groupRoles.length > 0 ? await findGroups(client, directory, person) : [],
    }
  })
}
