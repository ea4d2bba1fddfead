/** The signers for the roles of a template, as a signature node stores them. A draft may contain anything. */

export interface Person {
  role: string
  name: string
  email: string
  language?: string
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export const readPeople = (value: unknown): Person[] =>
  (Array.isArray(value) ? value : []).filter(isRecord).map(({ role, name, email, language }) => ({
    role: text(role),
    name: text(name),
    email: text(email),
    ...(typeof language === 'string' && { language }),
  }))

/** One for each role, in the template's order, with what is there already; `keepsOthers` adds those of other roles. */
export function peopleFor(roles: readonly string[], people: readonly Person[], keepsOthers = false): Person[] {
  const isRole = (role: string) => (one: Person) => one.role.trim().toLowerCase() === role.trim().toLowerCase()
  const named = roles.map((role) => ({ name: '', email: '', ...people.find(isRole(role)), role }))
  const others = people.filter((one) => !roles.some((role) => isRole(role)(one)))
  return keepsOthers ? [...named, ...others] : named
}

const tag = /\{\{\s{0,9}(?:sig|initials|date|text|checkbox)\s{0,9}:([^:{}\n]{1,120})[:}]/gi

/** The roles that the tags of a text name, each once. */
export function rolesIn(text: string): string[] {
  const roles = new Map<string, string>()
  for (const [, found = ''] of text.matchAll(tag)) {
    const role = found.trim()
    if (role !== '' && !roles.has(role.toLowerCase())) roles.set(role.toLowerCase(), role)
  }
  return [...roles.values()]
}
