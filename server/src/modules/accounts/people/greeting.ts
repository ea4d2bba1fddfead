/** The first line of a mail. A name that nobody has proven to be the reader's is a stranger's text, and stays out. */
import { plainName, type Words, words } from '#kernel/mail/words.ts'
import type { UserRow } from '../queries/users.ts'

export const greeting = ({ name, emailProvenAt }: Pick<UserRow, 'name' | 'emailProvenAt'>): Words =>
  emailProvenAt === null ? words`Hello,` : words`Hello ${plainName(name)},`
