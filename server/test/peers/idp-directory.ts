/** The people an identity provider knows. The login and the admin interface of the test provider share one of these. */
import { randomUUID } from 'node:crypto'

export interface IdpPerson {
  id: string
  username: string
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
  enabled: boolean
  attributes: Record<string, string[]>
  requiredActions: string[]
  roles: string[]
}

export interface IdpDirectory {
  people: Map<string, IdpPerson>
  add(person: Partial<IdpPerson> & { email: string }): IdpPerson
  findByLogin(login: string): IdpPerson | undefined
}

export const createDirectory = (): IdpDirectory => {
  const people = new Map<string, IdpPerson>()
  return {
    people,
    add: (given) => {
      const person: IdpPerson = {
        id: randomUUID(),
        username: given.email,
        emailVerified: true,
        firstName: 'Sam',
        lastName: 'Sample',
        enabled: true,
        attributes: {},
        requiredActions: [],
        roles: [],
        ...given,
      }
      people.set(person.id, person)
      return person
    },
    findByLogin: (login) => [...people.values()].find(({ id, email }) => id === login || email === login),
  }
}
