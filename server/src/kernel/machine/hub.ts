/** Who listens to which channel, in the supervisor. Whoever ends is forgotten with all it listened to. */

export interface Hub<Member> {
  subscribe(member: Member, channels: readonly string[]): void
  unsubscribe(member: Member, channel: string): void
  /** Delivers to everyone but the sender, who is counted if it listens too. Returns how many receive it. */
  send(from: Member, channel: string, text: string): number
  remove(member: Member): void
}

/** `deliver` returns false where the member can't take any more; the message is lost for it, as over Redis. */
export const createHub = <Member>(
  deliver: (member: Member, message: { channel: string; text: string }) => boolean,
): Hub<Member> => {
  const members = new Map<string, Set<Member>>()
  const channelsOf = new Map<Member, Set<string>>()

  const leave = (member: Member, channel: string): void => {
    const listening = members.get(channel)
    listening?.delete(member)
    if (listening?.size === 0) members.delete(channel)
  }
  return {
    subscribe: (member, channels) => {
      const own = channelsOf.get(member) ?? new Set()
      channelsOf.set(member, own)
      for (const channel of channels) {
        own.add(channel)
        const listening = members.get(channel) ?? new Set()
        members.set(channel, listening.add(member))
      }
    },
    unsubscribe: (member, channel) => {
      channelsOf.get(member)?.delete(channel)
      leave(member, channel)
    },
    send: (from, channel, text) => {
      let received = 0
      for (const member of members.get(channel) ?? [])
        if (member === from || deliver(member, { channel, text })) received += 1
      return received
    },
    remove: (member) => {
      for (const channel of channelsOf.get(member) ?? []) leave(member, channel)
      channelsOf.delete(member)
    },
  }
}
