/** One line of the table. `met` is undefined where there is no limit. */
export type Row = {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly met: boolean | undefined;
};

export type Measured = {
  readonly rows: readonly Row[];
  /** How it was measured, and what else was seen: one sentence each. */
  readonly notes: readonly string[];
};

export type Figure = {
  readonly id: string;
  readonly title: string;
  readonly measure: (bench: Bench) => Promise<Measured>;
};

/** What all figures share. */
export type Bench = {
  /** Temp folder of the run, gone at its end. */
  readonly dir: string;
  /** Folder with the bundles as they are packed, built for this run. */
  readonly dist: string;
  readonly say: (sentence: string) => void;
};

export function limited(what: string, value: number, limit: number, unit: (value: number) => string): Row {
  return { what, measured: unit(value), limit: unit(limit), met: value <= limit };
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const times = (value: number): string => `${value.toFixed(2)} ×`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
export const kilobytes = (bytes: number): string => `${(bytes / 1e3).toFixed(0)} kB`;
export const ofCore = (share: number): string => `${(share * 100).toFixed(2)} %`;
