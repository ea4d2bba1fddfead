/** What PostgreSQL refuses of an import, as a sentence for who runs it. */
import type pg from 'pg'
import { StartError } from '#kernel/process/start-error.ts'

export const asSentence = (problem: unknown): unknown => {
  const { code = '', constraint = '', detail = '', table = '', message } = problem as pg.DatabaseError
  const taken = /\(([^()]*)\)=\((.*)\)/.exec(detail)?.[2] ?? ''
  const sentence = (text: string) => new StartError(`${text} Nothing was imported.`, { cause: problem })
  if (constraint === 'users_email')
    return sentence(`${taken} already has an account here: close it, or change its email.`)
  if (constraint === 'organizations_code') return sentence(`The code ${taken} belongs to another organization here.`)
  if (code === '23505') return sentence(`Something of the organization is already here: ${taken} of ${table}.`)
  // Wrong values, and rows that refer to nothing or break a rule.
  if (/^(22|23)/.test(code)) return sentence(`The file has rows that aren't valid: ${message}.`)
  return problem
}
