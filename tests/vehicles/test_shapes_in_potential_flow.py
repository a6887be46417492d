"""The added mass of shapes against potential flow, solved here with constant source panels (Hess and Smith 1967).

The body consists of copies of one sector under its symmetry; the panels are unknown on that sector only. A motion
gives the copies weights: the signs of a mirror image, or the cosine of the angle about an axis.
"""

import itertools
import math

import numpy as np
import pytest

from remora.vehicles.assembly import shapes


def source_panels(points, panels):
    """Potential and velocity at points (m) of unit sources on flat panels (n, 4 corners, 3), and the panels' areas."""
    normal = np.cross(panels[:, 2] - panels[:, 0], panels[:, 3] - panels[:, 1])
    area = np.linalg.norm(normal, axis=1) / 2.0
    normal = normal / (2.0 * area[:, None])
    height = np.einsum("mnk,nk->mn", points[:, None] - panels.mean(axis=1), normal)
    log_sum, angle, in_plane = 0.0, 0.0, 0.0
    for k in range(4):
        edge = panels[:, (k + 1) % 4] - panels[:, k]
        length = np.linalg.norm(edge, axis=1)
        there = length > 1e-12
        along = edge / np.where(there, length, 1.0)[:, None]
        outward = np.cross(along, normal)
        first, last = panels[:, k] - points[:, None], panels[:, (k + 1) % 4] - points[:, None]
        r1, r2 = np.linalg.norm(first, axis=2), np.linalg.norm(last, axis=2)
        offset = np.einsum("mnk,nk->mn", first, outward)
        logarithm = np.where(there, np.log((r1 + r2 + length) / np.maximum(r1 + r2 - length, 1e-300)), 0.0)
        below = offset**2 + height**2
        turn = [
            np.arctan2(offset * np.einsum("mnk,nk->mn", end, along), below + np.abs(height) * r)
            for end, r in ((first, r1), (last, r2))
        ]
        log_sum += offset * logarithm
        angle += np.where(there, turn[1] - turn[0], 0.0)
        in_plane += outward * logarithm[..., None]
    potential = -(log_sum - np.abs(height) * angle) / (4.0 * math.pi)
    velocity = (in_plane + (np.sign(height) * angle)[..., None] * normal) / (4.0 * math.pi)
    return potential, velocity, area, normal


def added_masses(panels, motions):
    """Added mass, at density one, of a convex body (sector panels, copies, 4, 3) for weights and a motion each.

    A motion maps the centre and the normal of a panel to the speed along the normal.
    """
    corners = panels[..., 2, :] - panels[..., 0, :], panels[..., 3, :] - panels[..., 1, :]
    inward = (np.cross(*corners) * panels.mean(axis=2)).sum(axis=-1) < 0.0
    panels = np.where(inward[..., None, None], panels[..., ::-1, :], panels)
    n, copies = panels.shape[:2]
    centre = panels[:, 0].mean(axis=1)
    potential, velocity, area, normal = source_panels(centre, panels.reshape(-1, 4, 3))
    normal, area = normal.reshape(n, copies, 3)[:, 0], area.reshape(n, copies)[:, 0]
    outflow = np.einsum("mnk,mk->mn", velocity, normal)
    outflow[np.arange(n), np.arange(n) * copies] = 0.5
    result = []
    for weights, motion in motions:
        speed = motion(centre, normal)
        sources = np.linalg.solve(outflow.reshape(n, n, copies) @ weights, speed)
        phi = (potential.reshape(n, n, copies) @ weights) @ sources
        result.append(-(phi * speed * area).sum() * (weights**2).sum())
    return np.array(result)


def box_added_masses(sides, n):
    """All six of a box: the sector is one octant with n x n panels a face, denser towards the edges."""
    grids = [0.5 * side * np.sin(0.5 * math.pi * np.arange(n + 1) / n) for side in sides]
    faces = []
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for u, v in itertools.product(range(n), range(n)):
            corners = np.full((4, 3), 0.5 * sides[axis])
            corners[:, i] = grids[i][[u, u + 1, u + 1, u]]
            corners[:, j] = grids[j][[v, v, v + 1, v + 1]]
            faces.append(corners)
    mirrors = np.array(list(itertools.product((1, -1), repeat=3)))
    panels = np.array(faces)[:, None] * mirrors[:, None, :]
    motions = []
    for k in range(3):
        motions.append((mirrors[:, k], lambda centre, normal, k=k: normal[:, k]))
    for k in range(3):
        odd = mirrors[:, (k + 1) % 3] * mirrors[:, (k + 2) % 3]
        motions.append((odd, lambda centre, normal, k=k: np.cross(centre, normal)[:, k]))
    return added_masses(panels, motions)


def revolution_added_masses(x, r, sectors):
    """Along, across and in pitch, of a profile turned about the x axis; polygons of the same area replace circles."""
    r = r * math.sqrt(math.tau / (sectors * math.sin(math.tau / sectors)))
    turn = math.tau * (np.arange(sectors + 1) - 0.5) / sectors
    ring = np.stack([np.ones_like(turn), np.cos(turn), np.sin(turn)], axis=-1)
    edge = np.stack([x, r, r], axis=-1)[:, None] * ring
    panels = np.stack([edge[:-1, :-1], edge[:-1, 1:], edge[1:, 1:], edge[1:, :-1]], axis=2)
    even, swing = np.ones(sectors), np.cos(math.tau * np.arange(sectors) / sectors)
    motions = [
        (even, lambda centre, normal: normal[:, 0]),
        (swing, lambda centre, normal: normal[:, 1]),
        (swing, lambda centre, normal: np.cross(centre, normal)[:, 2]),
    ]
    return added_masses(panels, motions)


def fine_box(sides):
    """The limit of many panels: the error falls with the square of their number along an edge."""
    coarse, fine = box_added_masses(sides, 3), box_added_masses(sides, 6)
    return fine + (fine - coarse) / 3.0


def fine_revolution(x, r):
    """The limit of many sectors: the error falls with their number."""
    return 2.0 * revolution_added_masses(x, r, 96) - revolution_added_masses(x, r, 48)


def cylinder_profile(length, diameter):
    end = 0.5 * diameter * np.sin(0.5 * math.pi * np.arange(11) / 10)
    side = -0.5 * length * np.cos(math.pi * np.arange(29) / 28)
    x = np.concatenate([np.full(10, side[0]), side, np.full(10, side[-1])])
    return x, np.concatenate([end[:-1], np.full(29, 0.5 * diameter), end[::-1][1:]])


@pytest.mark.parametrize("length", [1.0, 2.0, 4.0])
def test_the_panels_find_lambs_spheroid(length):
    angle = math.pi * np.arange(41) / 40
    found = fine_revolution(-0.5 * length * np.cos(angle), 0.5 * np.sin(angle))
    exact = shapes.spheroid_added_mass(length, 1.0, 1.0)
    assert found == pytest.approx([exact[0], exact[1], exact[5]], rel=0.025, abs=1e-6)


@pytest.mark.parametrize("length", [1.0, 1.2, 2.5, 5.0, 9.0, 20.0])
def test_cylinder_longer_than_wide(length):
    found = fine_revolution(*cylinder_profile(length, 1.0))
    estimate = shapes.cylinder_added_mass(length, 1.0, 1.0)
    assert estimate[0] == pytest.approx(found[0], rel=0.025)
    assert estimate[1] == pytest.approx(found[1], rel=0.02)
    assert estimate[5] == pytest.approx(found[2], rel=0.05)


@pytest.mark.parametrize("length", [0.1, 0.3])
def test_disc_like_cylinder(length):
    found = fine_revolution(*cylinder_profile(length, 1.0))
    estimate = shapes.cylinder_added_mass(length, 1.0, 1.0)
    assert [estimate[0], estimate[1], estimate[5]] == pytest.approx(found, rel=0.16)


@pytest.mark.parametrize(
    ("sides", "translation", "rotation"),
    [
        ((1.0, 1.0, 1.0), 0.08, 0.10),
        ((2.0, 1.0, 1.0), 0.08, 0.10),
        ((0.483, 0.330, 0.254), 0.08, 0.10),
        ((3.0, 2.0, 1.0), 0.08, 0.10),
        ((1.0, 1.0, 0.2), 0.08, 0.17),
        ((5.0, 2.0, 1.0), 0.08, 0.17),
        ((5.0, 1.0, 1.0), 0.08, 0.17),
        ((10.0, 1.0, 1.0), 0.15, 0.23),
        ((1.0, 1.0, 0.1), 0.15, 0.23),
        ((10.0, 2.0, 1.0), 0.15, 0.23),
    ],
)
def test_box(sides, translation, rotation):
    found = fine_box(sides)
    estimate = shapes.box_added_mass(*sides, 1.0)
    assert estimate[:3] == pytest.approx(found[:3], rel=translation)
    assert estimate[3:] == pytest.approx(found[3:], rel=rotation)


def test_cube():
    """16 x 16 panels an octant face gave 0.6391 and 0.0392."""
    found = fine_box((1.0, 1.0, 1.0))
    assert found[:3] == pytest.approx([0.6385] * 3, rel=0.005)
    assert found[3:] == pytest.approx([0.0393] * 3, rel=0.005)
