/** Pure. A draft of a person, read: what has to fit, and what is worth a sentence to whoever set the directory up. */
import { EmailAddress, line, PersonName } from '@chancery/contract/text.ts'
import { z } from 'zod'
import { AppError } from '#kernel/errors.ts'
import type { Json } from '../patch/operations.ts'
import type { UserDraft } from '../patch/patch-user.ts'

export interface WantedUser {
  /** In lower case: it is the same in any. */
  userName: string
  email: string
  name: string
  givenName: string | null
  familyName: string | null
  externalId: string | null
  active: boolean | undefined
}

const Flag = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
])
const emptyIsNull = (value: unknown) => (value === '' || value === undefined ? null : value)
const OptionalText = z.preprocess(emptyIsNull, line(200).nullable())

const refused = (attribute: string, why: string) =>
  new AppError('scim_invalid_value', { detail: `“${attribute}” ${why}.` })

const read = <Schema extends z.ZodType>(schema: Schema, attribute: string, value: unknown): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = error.issues
  throw refused(attribute, value === undefined || value === null ? 'is missing' : (issue?.message ?? 'is invalid'))
}

const isTrue = (value: unknown): boolean => Flag.safeParse(value).data === true

/** The primary one, else the one from work, else the first. */
const chosenEmail = (emails: readonly Json[]): unknown => {
  const given = emails.filter(({ value }) => value !== undefined && value !== null && value !== '')
  const chosen = given.find(({ primary }) => isTrue(primary)) ?? given.find(({ type }) => type === 'work') ?? given[0]
  return chosen?.value
}

/** What a patch starts from. */
export type Before = Pick<WantedUser, 'userName' | 'email' | 'name' | 'givenName' | 'familyName'>

/**
 * The account's address is the email; of somebody without one, the user name, where that is an address. A patch that
 * changes only the user name or only a part of the name means the other as well, where they were the same before.
 */
export const readUser = (draft: UserDraft, before?: Before): WantedUser => {
  const userName = read(line(254), 'userName', draft.userName).toLowerCase()
  const given = chosenEmail(draft.emails)
  const email = given ?? EmailAddress.safeParse(userName).data
  if (email === undefined) throw refused('emails', 'is missing, and “userName” is not an email')
  const address = read(EmailAddress, 'emails', email)
  const givenName = read(OptionalText, 'name.givenName', draft.name.givenName)
  const familyName = read(OptionalText, 'name.familyName', draft.name.familyName)
  return {
    userName,
    email: followsUserName(before, { userName, address }) ? userName : address,
    name: nameOf(draft, { givenName, familyName, address, before }),
    givenName,
    familyName,
    externalId: read(OptionalText, 'externalId', draft.externalId),
    active: draft.active === undefined || draft.active === null ? undefined : read(Flag, 'active', draft.active),
  }
}

const followsUserName = (before: Before | undefined, now: { userName: string; address: string }): boolean =>
  before !== undefined &&
  before.userName === before.email &&
  now.address === before.email &&
  now.userName !== before.userName &&
  EmailAddress.safeParse(now.userName).success

interface Names {
  givenName: string | null
  familyName: string | null
  address: string
  before: Before | undefined
}

const nameOf = ({ displayName, name }: UserDraft, { givenName, familyName, address, before }: Names): string => {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ')
  const isNew = (value: unknown) => value !== before?.name
  const changedParts = givenName !== before?.givenName || familyName !== before?.familyName ? parts : ''
  const whole = [displayName, name.formatted]
  const candidates = [...whole.filter(isNew), changedParts, ...whole, address.slice(0, address.lastIndexOf('@'))]
  const chosen = candidates.find((value) => value !== undefined && value !== null && value !== '')
  return read(PersonName, 'displayName', typeof chosen === 'string' ? chosen.slice(0, 120) : chosen)
}
