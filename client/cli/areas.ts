/** The first words of the commands for people, for a launcher that has other commands as well. */
const areas = ['login', 'logout', 'whoami', 'chat', 'events', 'runs', 'documents', 'knowledge', 'workflows']

export const isForPeople = ([first = '', second = '']: readonly string[]): boolean =>
  areas.includes(first === 'help' ? second : first)
