/** Plugins as their author adds them, and the browser of a person whom they ask. */

import type { Person } from './people.ts'
import { createSockets } from './sockets.ts'

/** For the owner of the platform; each plugin has an ID of its own, which sort in the order they were added. */
export const createPluginAuthor = (owner: Person) => {
  let count = 0
  const add = async (
    tree: 'functions' | 'tools',
    content: string,
    more: Record<string, unknown> = {},
  ): Promise<string> => {
    count += 1
    const id = `plugin_${String(count).padStart(3, '0')}`
    const reply = await owner.post(`/api/v1/${tree}/create`, {
      id,
      name: `Plugin ${count}`,
      content,
      is_active: true,
      ...more,
    })
    if (reply.status !== 201) throw new Error(reply.text)
    return id
  }
  return {
    add,
    addFilter: (body: string, more?: Record<string, unknown>) =>
      add('functions', `export class Filter { ${body} }`, more),
    remove: (tree: 'functions' | 'tools', id: string) => owner.send('DELETE', `/api/v1/${tree}/id/${id}/delete`),
  }
}

/** A browser that answers each type of question alike, and keeps what it was sent. */
export const openBrowser = async (url: string, person: Person, answers: Record<string, unknown> = {}) => {
  const seen: { type: string; data: unknown }[] = []
  const socket = await createSockets(url).connectAs(person)
  socket.on('events', (event, acknowledge) => {
    seen.push(event.data)
    if (event.data.type in answers) acknowledge(answers[event.data.type])
  })
  return { seen, session_id: socket.id ?? '' }
}
