import { describe, expect, it } from 'vitest';
import { countedDescription, parameterSize } from '../../src/model/size.ts';

describe('parameterSize', () => {
  it.each([
    [1, '1'],
    [160, '160'],
    [999, '999'],
    [1_000, '1K'],
    [260_000, '260K'],
    [292_800, '293K'],
    [999_499, '999K'],
    [999_950, '1M'],
    [134_515_008, '135M'],
    [268_098_176, '268M'],
    [1.5e9, '1.5B'],
    [7_241_732_096, '7.24B'],
    [671_026_419_200, '671B'],
    [1.04e12, '1.04T'],
    [2e15, '2000T'],
  ])('shows %d parameters as %s', (parameters, size) => {
    expect(parameterSize(parameters)).toBe(size);
  });
});

describe('countedDescription', () => {
  it.each([
    ['llama 256M Q4_1', 'llama', 134_515_008, 'llama 135M Q4_1'],
    ['llama ?B (guessed) all F32', 'llama', 292_800, 'llama 293K F32'],
    ['gemma3 270M Q4_K - Medium', 'gemma3', 268_098_176, 'gemma3 268M Q4_K - Medium'],
    ['qwen3moe 30B.A3B Q4_K - Medium', 'qwen3moe', 30_532_122_624, 'qwen3moe 30.5B Q4_K - Medium'],
  ])('has the counted size in %s', (description, architecture, parameters, counted) => {
    expect(countedDescription(description, architecture, parameters)).toBe(counted);
  });

  it.each([
    ['of another form', 'some model', 'llama', 1e6],
    ['of one word', 'llama', 'llama', 1e6],
    ['empty', '', 'llama', 1e6],
    ['without a count', 'llama 7B Q4_0', 'llama', 0],
  ])('leaves a description %s as it is', (_, description, architecture, parameters) => {
    expect(countedDescription(description, architecture, parameters)).toBe(description);
  });
});
