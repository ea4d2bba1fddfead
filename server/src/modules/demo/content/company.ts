/** Marlow Coffee: a roastery with a shop for offices and cafés. */
export const company = 'Marlow Coffee'
export const domain = 'marlow.demo.example'

export interface Member {
  name: string
  /** How long ago they joined, in days. */
  joined: number
  /** The last sign-in, in hours before now. */
  seen: number
  isAdmin?: true
}

export const members: readonly Member[] = [
  { name: 'Maya Lindqvist', joined: 412, seen: 0.4, isAdmin: true },
  { name: 'Jonas Weber', joined: 410, seen: 2, isAdmin: true },
  { name: 'Priya Raman', joined: 388, seen: 1 },
  { name: 'Tomás Herrera', joined: 371, seen: 5 },
  { name: 'Aisha Bello', joined: 302, seen: 3 },
  { name: 'Oliver Grant', joined: 264, seen: 20 },
  { name: 'Chiara Rossi', joined: 231, seen: 7 },
  { name: 'Samuel Okafor', joined: 198, seen: 26 },
  { name: 'Hanna Nowak', joined: 150, seen: 4 },
  { name: 'Daniel Kim', joined: 96, seen: 52 },
  { name: 'Elif Demir', joined: 61, seen: 9 },
  { name: 'Theo Brandt', joined: 12, seen: 28 },
]

/** Members by first name. */
export const groups: Readonly<Record<string, readonly string[]>> = {
  Finance: ['jonas', 'priya', 'hanna'],
  Operations: ['tomás', 'samuel', 'elif', 'theo'],
  Sales: ['oliver', 'chiara', 'daniel'],
  People: ['maya', 'aisha'],
  'Everyone in Hamburg': ['maya', 'jonas', 'tomás', 'samuel', 'theo', 'hanna'],
}

export const departments: Readonly<Record<string, readonly string[]>> = {
  Office: ['maya', 'aisha', 'jonas', 'priya', 'hanna'],
  Roastery: ['tomás', 'samuel', 'elif', 'theo'],
  Customers: ['oliver', 'chiara', 'daniel'],
}
