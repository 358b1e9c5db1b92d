// Words in the last prompt steer a fake model: `USAGE=150000 SAY=done` is one prompt.

export function word(prompt: string, name: string): string | undefined {
  return new RegExp(`\\b${name}=([\\w.-]+)`).exec(prompt)?.[1];
}

export function amount(prompt: string, name: string, otherwise: number): number {
  const value = Number(word(prompt, name));
  return Number.isFinite(value) ? value : otherwise;
}
