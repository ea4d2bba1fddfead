/** Tries a directory step by step, and says in plain sentences how far it got. */
import type { LdapSettingsBody, LdapTestResult } from '@chancery/contract/organizations/ldap.ts'
import type { Client } from 'ldapts'
import { AppError } from '#kernel/errors.ts'
import type { OrgActor } from '#kernel/http/access.ts'
import { bindPasswordFor } from './bind-password.ts'
import { checkSettings } from './check-settings.ts'
import type { LdapContext } from './context.ts'
import { type Directory, directoryOf, openBindPassword } from './directory.ts'
import { asFailure, DirectoryFailure } from './failures.ts'
import { findGroups, roleOfGroups } from './groups.ts'
import { type DirectoryPerson, findPeople } from './person.ts'
import { findDirectory } from './queries.ts'
import { bindAsService, converse } from './wire/conversation.ts'
import type { OnStep } from './wire/transport.ts'

interface Request {
  /** Settings that are not saved yet; without them the saved ones are tried. */
  settings?: LdapSettingsBody | undefined
  /** Somebody to look for; their password is not asked. */
  login?: string | undefined
}

export const testDirectory = async (
  context: LdapContext,
  actor: OrgActor,
  request: Request,
): Promise<LdapTestResult> => {
  const directory = await directoryToTry(context, actor, request.settings)
  const steps: LdapTestResult['steps'] = []
  const onStep: OnStep = (step, detail) => void steps.push({ step, ok: true, detail })
  try {
    const target = { outbound: context.outbound, endpoint: directory.endpoint, onStep }
    await converse(target, (client) => lookAround(client, directory, { login: request.login, onStep }))
    return { ok: true, steps }
  } catch (problem) {
    const { step, message } = asFailure('search', problem)
    context.log.info({ err: problem, step, organizationId: actor.organizationId }, 'ldap: a test failed')
    return { ok: false, steps: [...steps, { step, ok: false, detail: message }] }
  }
}

const directoryToTry = async (context: LdapContext, actor: OrgActor, settings: LdapSettingsBody | undefined) => {
  const { db, sealer, config } = context
  const allowsPlaintext = config.LDAP_ALLOW_PLAINTEXT
  const stored = await findDirectory(db, actor)
  const { organizationId } = actor
  if (settings) {
    checkSettings(settings, { allowsPlaintext })
    const password = bindPasswordFor(sealer, settings, stored)
    return directoryOf({ organizationId, settings, password, allowsPlaintext })
  }
  if (!stored) throw new AppError('ldap_not_configured')
  const password = openBindPassword(sealer, stored)
  return directoryOf({ organizationId, settings: stored, password, allowsPlaintext })
}

interface Look {
  login: string | undefined
  onStep: OnStep
}

const lookAround = async (client: Client, directory: Directory, { login, onStep }: Look): Promise<void> => {
  await bindAsService(client, directory.service)
  onStep('bind', directory.service.dn === '' ? 'No bind DN: searching anonymously.' : 'The bind DN is accepted.')
  if (!login) {
    await requireEntry(client, directory.baseDn)
    onStep('search', 'The base DN exists. Enter a login to look for somebody.')
    for (const { dn } of directory.groupRoles) await requireGroup(client, dn)
    onStep('groups', `${directory.groupRoles.length} groups give a role, and all of them exist.`)
    return
  }
  const person = onlyOne(await findPeople(client, directory, login), directory)
  onStep('search', `Found ${person.dn}.`)
  const groups = await findGroups(client, directory, person)
  const role = roleOfGroups(directory.groupRoles, groups)
  onStep('groups', `In ${groups.length} groups. ${role ? `Signs in as ${role}.` : 'Groups give no role.'}`)
}

const onlyOne = (people: DirectoryPerson[], { attributes }: Directory): DirectoryPerson => {
  const [person, another] = people
  if (!person) throw new DirectoryFailure('search', 'Nobody matches this login.')
  if (another) throw new DirectoryFailure('search', 'More than one entry matches this login; it must be exactly one.')
  if (person.subject !== undefined) return person
  throw new DirectoryFailure('search', `The entry has no ${attributes.uniqueId}, by which we would know it again.`)
}

const requireEntry = async (client: Client, dn: string): Promise<void> => {
  try {
    await client.search(dn, { scope: 'base', derefAliases: 'never', attributes: ['1.1'], timeLimit: 5 })
  } catch (problem) {
    throw asFailure('search', problem)
  }
}

const requireGroup = async (client: Client, dn: string): Promise<void> => {
  try {
    await requireEntry(client, dn)
  } catch (problem) {
    throw new DirectoryFailure('groups', `The group ${dn} cannot be read.`, problem)
  }
}
